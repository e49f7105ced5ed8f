// expect: wiesel: print() does not know how to print this type
#include "tests/api/misuse/misuse.h"
struct Opaque {};
template <>
struct wiesel::Serializer<Opaque> {
  static constexpr int kFixedLength = 1;
  static void write(const Opaque&, DataOutput& output) { output.writeByte(0); }
  static void read(Opaque&, DataInput& input) { input.readByte(); }
  static SerializerSnapshot snapshot() { return SerializerSnapshot::wieselType("Opaque"); }
};
auto stream() {
  return text().map([](const std::string&) { return Opaque(); }).print();
}
