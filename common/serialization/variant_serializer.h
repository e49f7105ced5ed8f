#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "common/serialization/serializer.h"
#include "common/serialization/void_namespace.h"

namespace wiesel {

/// `wiesel.Variant`: one byte, the index of the alternative, then its value. A std::monostate is
/// one zero byte. Hashes as the value alone. A variant that lost its value aborts the process.
template <Serializable... Types>
struct Serializer<std::variant<Types...>> {
  using Variant = std::variant<Types...>;
  static_assert(sizeof...(Types) <= 255);
  static constexpr int kFixedLength = -1;

  static void write(const Variant& value, DataOutput& output) {
    output.writeByte(static_cast<uint8_t>(value.index()));
    std::visit([&output]<class T>(const T& one) { Serializer<T>::write(one, output); }, value);
  }

  static void read(Variant& target, DataInput& input) {
    const size_t index = input.readByte();
    if (index >= sizeof...(Types)) return input.fail("a variant has no alternative of its index");
    readAlternative(target, index, input, std::index_sequence_for<Types...>());
  }

  static SerializerSnapshot snapshot() {
    std::vector<SerializerSnapshot> nested;
    (nested.push_back(Serializer<Types>::snapshot()), ...);
    return SerializerSnapshot::wieselType("Variant", std::move(nested));
  }

  static int32_t hashCode(const Variant& value) requires(SerializableKey<Types>&&...) {
    return std::visit([]<class T>(const T& one) { return Serializer<T>::hashCode(one); }, value);
  }

 private:
  template <size_t... i>
  static void readAlternative(Variant& target, size_t index, DataInput& input,
                              std::index_sequence<i...>) {
    ((i == index ? Serializer<Types>::read(target.template emplace<i>(), input) : void()), ...);
  }
};

}  // namespace wiesel
