#include "runtime/graph/failure_text.h"

#include "absl/strings/str_format.h"

namespace wiesel::runtime {

namespace {

bool continuesCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

}  // namespace

std::string boundedFailureText(const std::string& text) {
  if (text.size() <= kMaxFailureTextBytes) return text;
  const std::string note = absl::StrFormat("... (cut, it has %d bytes)", text.size());
  size_t end = kMaxFailureTextBytes - note.size();
  for (int i = 0; i < 3 && continuesCharacter(text[end]); ++i) --end;
  return text.substr(0, end) + note;
}

}  // namespace wiesel::runtime
