#pragma once

#include <map>
#include <string>
#include <string_view>

namespace wiesel::checkpoint {

/// The types of an operator's state in words, such as "Map<String,Long>".
struct StateTypes {
  std::string key;                            // Empty without keyed state.
  std::map<std::string, std::string> states;  // State name -> type of its value or element.

  bool isEmpty() const { return key.empty() && states.empty(); }
  bool operator==(const StateTypes&) const = default;
};

/// Adds what the beginning of a stream of keyed state, or of operator state, tells; nothing more
/// where it is cut or not understood. Flink: KeyedBackendSerializationProxy and
/// OperatorBackendSerializationProxy version 6 (1.20).
void addKeyedStateTypes(std::string_view stream, StateTypes& types);
void addOperatorStateTypes(std::string_view stream, StateTypes& types);

}  // namespace wiesel::checkpoint
