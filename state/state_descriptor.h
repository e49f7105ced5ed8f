#pragma once

#include <string>

namespace wiesel {

/// Names a keyed state of one value. Flink: ValueStateDescriptor (1.20).
template <class T>
struct ValueStateDescriptor {
  std::string name;
};

/// Names a keyed or operator state that is a list. Flink: ListStateDescriptor (1.20).
template <class T>
struct ListStateDescriptor {
  std::string name;
};

/// Names a keyed state that is a map. Flink: MapStateDescriptor (1.20).
template <class K, class V>
struct MapStateDescriptor {
  std::string name;
};

}  // namespace wiesel
