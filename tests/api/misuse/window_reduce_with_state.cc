// expect: wiesel: the reduce function of a window cannot be a RichFunction, CheckpointedFunction or
#include "tests/api/misuse/misuse.h"
struct Longest : wiesel::CheckpointedFunction {
  std::string operator()(const std::string& a, const std::string& b) const {
    return a.size() < b.size() ? b : a;
  }
  void initializeState(wiesel::FunctionInitializationContext&) override {}
  void snapshotState(wiesel::FunctionSnapshotContext&) override {}
};
void program() {
  text()
      .windowAll(wiesel::TumblingProcessingTimeWindows::of(std::chrono::seconds(1)))
      .reduce(Longest());
}
