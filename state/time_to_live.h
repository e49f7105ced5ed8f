#pragma once

#include <string>

#include "common/serialization/void_namespace.h"
#include "state/keyed_state_backend.h"
#include "state/state_descriptor.h"
#include "state/ttl_cells.h"

namespace wiesel {

namespace state {

template <class T, StateKind kind>
ValueCell<VoidNamespace, T>& openTtlValue(KeyedStateBackend& backend, const std::string& name,
                                          const StateTtlConfig& config) {
  return backend.ttlCell<TtlValueCell<VoidNamespace, T>>(
      name, backend.valueCell<VoidNamespace, TtlValue<T>>(name, kind), config);
}

template <class T>
ListCell<VoidNamespace, T>& openTtlList(KeyedStateBackend& backend, const std::string& name,
                                        const StateTtlConfig& config) {
  return backend.ttlCell<TtlListCell<VoidNamespace, T>>(
      name, backend.listCell<VoidNamespace, TtlValue<T>>(name), config);
}

template <class K, class V>
MapCell<VoidNamespace, K, V>& openTtlMap(KeyedStateBackend& backend, const std::string& name,
                                         const StateTtlConfig& config) {
  return backend.ttlCell<TtlMapCell<VoidNamespace, K, V>>(
      name, backend.mapCell<VoidNamespace, K, TtlValue<V>>(name), config);
}

}  // namespace state

template <class T>
void ValueStateDescriptor<T>::enableTimeToLive(const StateTtlConfig& config) {
  time_to_live = {config, &state::openTtlValue<T, state::StateKind::kValue>};
}

template <class T>
void ListStateDescriptor<T>::enableTimeToLive(const StateTtlConfig& config) {
  time_to_live = {config, &state::openTtlList<T>};
}

template <class K, class V>
void MapStateDescriptor<K, V>::enableTimeToLive(const StateTtlConfig& config) {
  time_to_live = {config, &state::openTtlMap<K, V>};
}

template <class T>
void ReducingStateDescriptor<T>::enableTimeToLive(const StateTtlConfig& config) {
  time_to_live = {config, &state::openTtlValue<T, state::StateKind::kReducing>};
}

template <class In, class Acc, class Out>
void AggregatingStateDescriptor<In, Acc, Out>::enableTimeToLive(const StateTtlConfig& config) {
  time_to_live = {config, &state::openTtlValue<Acc, state::StateKind::kAggregating>};
}

}  // namespace wiesel
