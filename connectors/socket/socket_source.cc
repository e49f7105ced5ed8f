#include "connectors/socket/socket_source.h"

#include <optional>
#include <utility>

#include "connectors/socket/socket_line_reader.h"

namespace wiesel {
namespace {

class Reader final : public SourceReader<std::string> {
 public:
  explicit Reader(connectors::SocketEndpoint endpoint) : endpoint_(std::move(endpoint)) {}

  void open(SourceContext& context) override { lines_.emplace(endpoint_, context.wake); }

  PollResult poll(ReaderOutput<std::string>& output) override {
    connectors::SocketLineReader::Taken taken = lines_->take(Collector<std::string>::kBatchRecords);
    for (std::string& line : taken.lines) output.collect(std::move(line));
    if (taken.has_ended) return PollResult::kEnd;
    return taken.has_more ? PollResult::kMore : PollResult::kNothing;
  }

  void snapshotState(int64_t) override {}  // A socket has no position to come back to.
  void close() override { lines_.reset(); }

 private:
  const connectors::SocketEndpoint endpoint_;
  std::optional<connectors::SocketLineReader> lines_;
};

}  // namespace

SocketTextSource::SocketTextSource(std::string host, uint16_t port, char delimiter,
                                   int64_t max_retries, std::chrono::milliseconds retry_delay)
    : host_(std::move(host)),
      port_(port),
      delimiter_(delimiter),
      max_retries_(max_retries),
      retry_delay_(retry_delay) {}

std::unique_ptr<SourceReader<std::string>> SocketTextSource::createReader() const {
  return std::make_unique<Reader>(
      connectors::SocketEndpoint{host_, port_, delimiter_, max_retries_, retry_delay_});
}

}  // namespace wiesel
