#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "runtime/connector_api/source.h"

namespace wiesel {

/// The lines that a TCP server sends; the source is the client. It ends when the server closes the
/// connection. Nothing can be read twice: what was read after the last checkpoint is lost by a
/// failure.
///
/// Lines end with `delimiter`; a carriage return before a newline is taken away. A rest without
/// delimiter at the end of the stream is a line, too. Bytes are taken as they come, whatever their
/// encoding.
///
/// Threads: each reader has a thread of its own that reads ahead up to a bound, so that a slow job
///          slows the server down.
/// Errors:  the reader fails, naming host and port, when it cannot connect or the connection
///          breaks, and for a line of more than 64 MiB.
/// Flink:   SocketTextStreamFunction (1.20), which tries again only after an end, and one time
///          less.
class SocketTextSource final : public Source<std::string> {
 public:
  static constexpr std::chrono::milliseconds kRetryDelay{500};

  /// `max_retries`: how often a connection is tried again, `retry_delay` apart, after it was
  /// refused or has ended; 0: an end is the end of the source, a refusal its failure; negative: for
  /// ever.
  SocketTextSource(std::string host, uint16_t port, char delimiter, int64_t max_retries,
                   std::chrono::milliseconds retry_delay = kRetryDelay);

  Boundedness boundedness() const override { return Boundedness::CONTINUOUS_UNBOUNDED; }
  std::unique_ptr<SourceReader<std::string>> createReader() const override;

 private:
  std::string host_;
  uint16_t port_;
  char delimiter_;
  int64_t max_retries_;
  std::chrono::milliseconds retry_delay_;
};

}  // namespace wiesel
