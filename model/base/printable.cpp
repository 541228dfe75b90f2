// SPDX-License-Identifier: Apache-2.0
// UTF-8 decoded just far enough to tell characters that are safe to print.
#include "model/base/printable.h"

#include <fmt/core.h>

#include <cstdint>

namespace tessera {
namespace {

constexpr std::uint32_t kNoCharacter = 0xFFFFFFFF;

struct Character {
  std::uint32_t code = kNoCharacter;
  std::size_t length = 0;
};

std::uint32_t byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

Character decode(std::string_view text, std::size_t at) {
  const std::uint32_t first = byte_at(text, at);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return {};
  std::uint32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const std::uint32_t byte = byte_at(text, at + i);
    if ((byte & 0xC0) != 0x80) return {};
    code = code << 6 | (byte & 0x3F);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[length] || code > 0x10FFFF || is_surrogate) return {};
  return {code, length};
}

bool is_control(std::uint32_t code) {
  const bool is_old = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool is_separator_or_embedding = code >= 0x2028 && code <= 0x202E;
  const bool is_direction = code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2066 && code <= 0x2069);
  return is_old || is_separator_or_embedding || is_direction;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) { return decode(text, at).length; }

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode(text, at);
    if (character.length > 0 && !is_control(character.code)) {
      out += text.substr(at, character.length);
      at += character.length;
      continue;
    }
    const std::size_t end = at + (character.length > 0 ? character.length : 1);
    for (; at < end; ++at) out += fmt::format("\\x{:02x}", byte_at(text, at));
  }
  return out;
}

}  // namespace tessera
