#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/executor.h"
#include "common/log.h"
#include "common/random.h"
#include "runtime/network/data_connection.h"
#include "runtime/network/data_frame.h"

namespace wiesel::runtime {

/// Runs closures when the test says so.
class ManualExecutor final : public Executor {
 public:
  void execute(std::function<void()> closure) override { closures_.push_back(std::move(closure)); }
  void runAll() {
    while (!closures_.empty()) {
      const std::function<void()> closure = std::move(closures_.front());
      closures_.pop_front();
      closure();
    }
  }

 private:
  std::deque<std::function<void()>> closures_;
};

/// A connection whose other end is the test.
class FakeConnection final : public DataConnection {
 public:
  DataOutput newMessage() override { return DataOutput(); }
  void write(DataOutput message) override {
    EXPECT_FALSE(writing_) << "a second write before the first was written";
    EXPECT_FALSE(closed_with_.has_value()) << "a write after closing";
    writing_ = true;
    written_ += message.view();
  }
  void close(const std::string& why) override {
    if (!closed_with_.has_value()) closed_with_ = why;
  }
  std::string peer() const override { return "the test"; }

  /// Why it was closed, if it was.
  const std::optional<std::string>& closedWith() const { return closed_with_; }

  /// Frames written so far, as text.
  std::vector<std::string> frames() const {
    std::vector<std::string> texts;
    FrameReader reader(written_);
    while (const auto frame = reader.next()) texts.push_back(text(*frame));
    return texts;
  }

  void finishWrite(DataConnectionHandler& handler) {
    if (!std::exchange(writing_, false)) return;
    handler.onWritten();
  }
  void forgetFrames() { written_.clear(); }

 private:
  static std::string text(const DataFrame& frame) {
    if (std::holds_alternative<HelloFrame>(frame)) return "hello";
    if (const auto* subscribe = std::get_if<SubscribeFrame>(&frame)) {
      return "subscribe " + std::to_string(subscribe->channel);
    }
    if (const auto* credit = std::get_if<CreditFrame>(&frame)) {
      return "credit " + std::to_string(credit->channel) + "+" + std::to_string(credit->credit);
    }
    if (const auto* cancel = std::get_if<CancelFrame>(&frame)) {
      return "cancel " + std::to_string(cancel->channel);
    }
    if (const auto* batch = std::get_if<BatchFrame>(&frame)) {
      return "batch " + std::to_string(batch->channel);
    }
    if (const auto* control = std::get_if<ControlFrame>(&frame)) {
      return "control " + std::to_string(control->channel);
    }
    const auto& lost = std::get<LostFrame>(frame);
    return "lost " + std::to_string(lost.channel) + ": " + lost.reason;
  }

  std::optional<std::string> closed_with_;
  bool writing_ = false;
  std::string written_;
};

/// Keeps the log quiet about what a test does on purpose, thousands of times.
class QuietLog {
 public:
  QuietLog() { setMinLogSeverity(LogSeverity::kERROR); }
  ~QuietLog() { setMinLogSeverity(LogSeverity::kINFO); }
};

/// Damages a message in one of several ways.
inline std::string damaged(std::string message, RandomSource& random) {
  const size_t changes = 1 + random.below(4);
  for (size_t i = 0; i < changes; ++i) {
    switch (random.below(5)) {
      case 0:
        if (!message.empty()) message.resize(random.below(message.size()));
        break;
      case 1:
        message += static_cast<char>(random.next());
        break;
      case 2:
        message.insert(random.below(message.size() + 1), std::string(random.below(9), '\xff'));
        break;
      case 3: {
        std::string noise(random.below(64), ' ');
        for (char& byte : noise) byte = static_cast<char>(random.next());
        message = std::move(noise);
        break;
      }
      default:
        if (message.empty()) break;
        message[random.below(message.size())] ^= static_cast<char>(1 << random.below(8));
    }
  }
  return message;
}

}  // namespace wiesel::runtime
