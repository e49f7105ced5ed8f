#pragma once

#include <string>
#include <utility>

namespace wiesel {

/// Names a side output of T records: what a function puts out beside its main results, with
/// `context.output(tag, value)`, and what `stream.getSideOutput(tag)` reads. Two tags are the same
/// when their ids are.
/// Flink: OutputTag (1.20).
template <class T>
struct OutputTag {
  explicit OutputTag(std::string id) : id(std::move(id)) {}

  std::string id;
};

}  // namespace wiesel
