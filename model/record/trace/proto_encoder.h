// SPDX-License-Identifier: Apache-2.0
// The protobuf wire format as far as the trace needs it: varint and length-delimited fields, appended to a string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::record {

inline void append_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

// Wire type 0: integers, enums, booleans.
inline void append_number(std::string& out, std::uint32_t field, std::uint64_t value) {
  append_varint(out, std::uint64_t{field} << 3);
  append_varint(out, value);
}

// Wire type 2: strings and encoded messages.
inline void append_bytes(std::string& out, std::uint32_t field, std::string_view bytes) {
  append_varint(out, std::uint64_t{field} << 3 | 2);
  append_varint(out, bytes.size());
  out += bytes;
}

}  // namespace tessera::record
