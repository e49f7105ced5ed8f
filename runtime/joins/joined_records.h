#pragma once

#include <utility>
#include <variant>
#include <vector>

#include "common/serialization/serializer.h"
#include "common/serialization/tagged_union.h"
#include "state/state_cells.h"

namespace wiesel::runtime {

/// The records of both sides in one window, each side in the order of arrival. Stored as Flink
/// stores it, as a list of tagged unions, here with the left ones first.
template <class L, class R>
struct JoinedRecords {
  std::vector<L> left;
  std::vector<R> right;
};

}  // namespace wiesel::runtime

namespace wiesel {

namespace state {

template <class L, class R>
struct ListContainer<TaggedUnion<L, R>, runtime::JoinedRecords<L, R>> {
  using E = TaggedUnion<L, R>;
  using C = runtime::JoinedRecords<L, R>;

  static void add(C& records, E element) {
    if (element.isLeft()) {
      records.left.push_back(std::get<0>(std::move(element.value)));
    } else {
      records.right.push_back(std::get<1>(std::move(element.value)));
    }
  }

  template <class F>
  static void forEach(const C& records, F f) {
    for (const L& record : records.left) f(E::left(record));
    for (const R& record : records.right) f(E::right(record));
  }
};

}  // namespace state

template <class L, class R>
struct Serializer<runtime::JoinedRecords<L, R>> {
  using Records = runtime::JoinedRecords<L, R>;
  using Element = TaggedUnion<L, R>;
  using Container = state::ListContainer<Element, Records>;
  static constexpr int kFixedLength = -1;

  static void write(const Records& records, DataOutput& output) {
    output.writeInt(static_cast<int32_t>(records.left.size() + records.right.size()));
    Container::forEach(records, [&output](const Element& element) {
      Serializer<Element>::write(element, output);
    });
  }

  static void read(Records& records, DataInput& input) {
    records.left.clear();
    records.right.clear();
    const int32_t count = input.readCount();
    for (int32_t i = 0; i < count && input.ok(); ++i) {
      Element element;
      Serializer<Element>::read(element, input);
      Container::add(records, std::move(element));
    }
  }

  static SerializerSnapshot snapshot() {
    return SerializerSnapshot::list(Serializer<Element>::snapshot());
  }
};

}  // namespace wiesel
