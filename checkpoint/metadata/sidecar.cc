#include "checkpoint/metadata/sidecar.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "common/xxh.h"
#include "nlohmann/json.hpp"

namespace wiesel::checkpoint {
namespace {

using nlohmann::json;

// The file is kHead, the content as JSON, kMiddle, 16 hex digits, kTail.
constexpr std::string_view kHead = "{\"format\": 1, \"content\":\n";
constexpr std::string_view kMiddle = ",\n\"checksum\": \"";
constexpr std::string_view kTail = "\"}\n";
constexpr size_t kChecksumDigits = 16;

std::string hex(uint64_t value) { return absl::StrFormat("%016x", value); }

std::optional<uint64_t> fromHex(const std::string& digits) {
  if (digits.size() != kChecksumDigits) return std::nullopt;
  uint64_t value = 0;
  for (const char c : digits) {
    const std::string_view all = "0123456789abcdef";
    const size_t digit = all.find(c);
    if (digit == all.npos) return std::nullopt;
    value = value << 4 | digit;
  }
  return value;
}

json toJson(const Sidecar& sidecar) {
  json files = json::array();
  for (const CheckedFile& file : sidecar.files) {
    files.push_back({{"name", file.name}, {"size", file.size}, {"checksum", hex(file.checksum)}});
  }
  json operators = json::array();
  for (const auto& [id, name] : sidecar.operators) {
    json one = {{"id", id.toHex()}, {"uid", name.uid}, {"name", name.name}};
    const auto types = sidecar.types.find(id);
    if (types != sidecar.types.end()) {
      one["keyType"] = types->second.key;
      one["states"] = types->second.states;
    }
    operators.push_back(std::move(one));
  }
  return {{"checkpointId", sidecar.checkpoint_id},
          {"jobId", sidecar.job.toHex()},
          {"version", sidecar.version},
          {"files", std::move(files)},
          {"operators", std::move(operators)}};
}

/// Reads what toJson() made; throws nlohmann's exceptions or std::bad_optional_access on others.
Sidecar fromJson(const json& content) {
  Sidecar sidecar;
  sidecar.checkpoint_id = content.at("checkpointId").get<int64_t>();
  sidecar.job = JobId::fromHex(content.at("jobId").get<std::string>()).value();
  sidecar.version = content.at("version").get<std::string>();
  for (const json& file : content.at("files")) {
    sidecar.files.push_back({file.at("name").get<std::string>(), file.at("size").get<int64_t>(),
                             fromHex(file.at("checksum").get<std::string>()).value()});
  }
  for (const json& one : content.at("operators")) {
    const OperatorId id = OperatorId::fromHex(one.at("id").get<std::string>()).value();
    sidecar.operators[id] = {one.at("uid").get<std::string>(), one.at("name").get<std::string>()};
    if (one.contains("states")) {
      sidecar.types[id] = {one.at("keyType").get<std::string>(),
                           one.at("states").get<std::map<std::string, std::string>>()};
    }
  }
  return sidecar;
}

}  // namespace

std::string encodeSidecar(const Sidecar& sidecar) {
  // A name that is no UTF-8 is shown with replacement characters rather than not written.
  const std::string content = toJson(sidecar).dump(1, ' ', false, json::error_handler_t::replace);
  return absl::StrFormat("%s%s%s%s%s", kHead, content, kMiddle, hex(checksum64(content)), kTail);
}

absl::StatusOr<Sidecar> decodeSidecar(std::string_view bytes) {
  const size_t frame = kHead.size() + kMiddle.size() + kChecksumDigits + kTail.size();
  if (bytes.size() < frame || bytes.substr(0, kHead.size()) != kHead) {
    return absl::DataLossError("it is torn or damaged at its start");
  }
  const size_t content_size = bytes.size() - frame;
  const std::string_view content = bytes.substr(kHead.size(), content_size);
  std::string_view rest = bytes.substr(kHead.size() + content_size);
  const std::string expected(rest.substr(kMiddle.size(), kChecksumDigits));
  const bool framed =
      rest.substr(0, kMiddle.size()) == kMiddle && rest.substr(rest.size() - kTail.size()) == kTail;
  if (!framed) return absl::DataLossError("it is torn or damaged at its end");
  const std::string actual = hex(checksum64(content));
  if (actual != expected) {
    return absl::DataLossError(absl::StrFormat(
        "it is damaged: expected checksum %s, actual checksum %s", expected, actual));
  }
  try {
    return fromJson(json::parse(content));
  } catch (const std::exception& error) {
    return absl::DataLossError(absl::StrFormat("it is not understood: %s", error.what()));
  }
}

}  // namespace wiesel::checkpoint
