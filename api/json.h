#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/serialization/type_serializer.h"

// JSON documents as records and state: include this beside <wiesel/wiesel.h> and use nlohmann::json
// wherever a type is asked for. It is no key: take the member that is one out of it.

namespace wiesel {

/// A JSON document, stored as CBOR. It has no twin in Java, so such state is not exchanged with
/// Flink.
template <>
struct Serializer<nlohmann::json> {
  static constexpr int kFixedLength = -1;

  static void write(const nlohmann::json& document, DataOutput& output) {
    const std::vector<uint8_t> bytes = nlohmann::json::to_cbor(document);
    output.writeSizedBytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

  static void read(nlohmann::json& document, DataInput& input) {
    const std::string_view bytes = input.readSizedBytes();
    if (!input.ok()) return;
    document = nlohmann::json::from_cbor(bytes, /*strict=*/true, /*allow_exceptions=*/false);
    if (document.is_discarded()) input.fail("bytes that are no CBOR where a JSON document is due");
  }

  static SerializerSnapshot snapshot() { return SerializerSnapshot::wieselType("Json", {}); }
};

}  // namespace wiesel
