#pragma once

#include <string>
#include <string_view>

namespace wiesel::runtime {

/// What `wiesel run` hears from the binary that it started, through an inherited pipe: one line
/// each. They let it tell a program that submitted nothing from one whose job failed.
struct SubmissionStatus {
  std::string submitted_job_id;  // Empty until a job was accepted.
  std::string state;             // FINISHED, CANCELED or FAILED of the last job; empty before.
  std::string failure_detail;    // Flink's form, several lines.
  bool called_execute = false;   // Even if nothing could be submitted.

  /// Takes in a whole line. Unknown ones are ignored.
  void read(std::string_view line);
};

/// Writes one line to the pipe; does nothing without one. The program ends soon after: errors are
/// ignored.
void writeSubmissionStatus(int status_fd, std::string_view key, std::string_view value);

inline constexpr std::string_view kStatusExecute = "execute";
inline constexpr std::string_view kStatusSubmitted = "submitted";
inline constexpr std::string_view kStatusState = "state";
inline constexpr std::string_view kStatusFailureDetail = "failure-detail";

}  // namespace wiesel::runtime
