#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include "common/serialization/describe.h"
#include "common/serialization/serializer.h"
#include "runtime/functions/checkpointed_function.h"
#include "runtime/functions/function_prototype.h"
#include "runtime/functions/function_traits.h"
#include "runtime/functions/rich_function.h"

// What the public calls ask of the types that they are given, each with the words that the compiler
// prints when it is not so.

#define WIESEL_REQUIRE_RECORD(T)                                                                \
  static_assert(!std::is_same_v<T, bool>,                                                       \
                "wiesel: a stream of bool is not supported; use int or a described struct");    \
  static_assert(::wiesel::Serializable<T>,                                                      \
                "wiesel: the records of this stream cannot be serialized; describe the struct " \
                "with WIESEL_DESCRIBE(Type, field, ...) right after it");                       \
  static_assert(std::default_initializable<T> && std::copy_constructible<T>,                    \
                "wiesel: the records of a stream must be default constructible and copyable")

#define WIESEL_REQUIRE_FUNCTION(F)                                                                \
  static_assert(std::copy_constructible<F>,                                                       \
                "wiesel: a function must be copyable, since each subtask works on its own copy; " \
                "pass perSubtask([] { return Function{...}; }) for one that is not")

/// For functions and the like that no operator opens, saves or tells of checkpoints. Flink refuses
/// rich ones where it notices.
#define WIESEL_REQUIRE_PLAIN(F, what)                                                            \
  static_assert(!std::is_base_of_v<::wiesel::RichFunction, F> &&                                 \
                    !std::is_base_of_v<::wiesel::CheckpointedFunction, F> &&                     \
                    !std::is_base_of_v<::wiesel::CheckpointListener, F>,                         \
                "wiesel: " what                                                                  \
                " cannot be a RichFunction, CheckpointedFunction or CheckpointListener: nobody " \
                "would open it, save it or tell it of checkpoints")

#define WIESEL_REQUIRE_FIELDS(T, call)                                                           \
  static_assert(::wiesel::Described<T>, "wiesel: " call                                          \
                                        "(\"field\") needs records with named fields: describe " \
                                        "the struct with WIESEL_DESCRIBE(Type, field, ...)")

#define WIESEL_REQUIRE_MEMBER(T, Owner, call)                                         \
  static_assert(std::is_base_of_v<Owner, T>, "wiesel: " call                          \
                                             "(&Type::member) needs a member of the " \
                                             "stream's records, not of another type")

#define WIESEL_REQUIRE_KEY(K)                                                                     \
  static_assert(!std::is_same_v<K, std::string_view> && !std::is_pointer_v<K>,                    \
                "wiesel: a key must own its value: return std::string instead of "                \
                "std::string_view or a pointer");                                                 \
  static_assert(::wiesel::SerializableKey<K>,                                                     \
                "wiesel: this type cannot be a key: it needs a serializer with a hash code; use " \
                "numbers, strings, tuples or described structs");                                 \
  static_assert(std::equality_comparable<K>,                                                      \
                "wiesel: a key type needs operator==: add bool operator==(const Key&) const = "   \
                "default;")
