// SPDX-License-Identifier: Apache-2.0
// Words outside of strings; in strings, what RFC 8259 does not allow.
#include "importer/readers/json_bytes.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "model/base/printable.h"

namespace tessera::importer {
namespace {

bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

// The half of a surrogate pair that four hexadecimal digits are: D800 to DBFF, DC00 to DFFF.
bool is_surrogate(const std::string& digits, std::string_view second) {
  return digits.size() == 4 && (digits[0] == 'd' || digits[0] == 'D') &&
         second.find(digits[1]) != std::string_view::npos;
}
bool is_high_surrogate(const std::string& digits) { return is_surrogate(digits, "89aAbB"); }
bool is_low_surrogate(const std::string& digits) { return is_surrogate(digits, "cCdDeEfF"); }

// Bytes that follow the first one of a sequence of UTF-8, by that byte alone.
std::size_t num_continuing(unsigned char first) {
  return first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
}
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

}  // namespace

void JsonBytes::read_word() {
  constexpr std::size_t kMaxWord = 16;
  ahead_.clear();
  next_ = 0;
  const auto belongs = [this](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || (ahead_.empty() && c == '-');
  };
  while (ahead_.size() < kMaxWord && !source_.at_end() && belongs(source_.peek())) ahead_.push_back(take());
  std::string lower = ahead_.substr(ahead_.front() == '-' ? 1 : 0);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  if (lower == "nan" || lower == "inf" || lower == "infinity") ahead_ = "null";
}

// At least a byte of the source becomes at least one ahead.
void JsonBytes::read_text(unsigned char first) {
  ahead_.clear();
  next_ = 0;
  take();
  if (first == '\\') {
    read_escape();
  } else if (first < 0x20) {
    replace("?");
  } else {
    read_utf8(first);
  }
}

void JsonBytes::read_escape() {
  constexpr std::string_view kShort = "\"\\/bfnrt";
  const char escaped = source_.at_end() ? '\0' : source_.peek();
  if (escaped == 'u') {
    take();
    read_unicode_escape();
  } else if (kShort.find(escaped) != std::string_view::npos) {
    ahead_ = {'\\', take()};
  } else {
    replace("\\\\");  // what follows is looked at by itself
  }
}

void JsonBytes::read_unicode_escape() {
  const std::string digits = hex_digits();
  if (digits.size() < 4) return replace("\\\\u" + digits);
  if (is_low_surrogate(digits)) return replace("?");
  ahead_ = "\\u" + digits;
  if (!is_high_surrogate(digits)) return;
  // The other half has to follow.
  if (source_.at_end() || source_.peek() != '\\') return replace("?");
  take();
  if (source_.at_end() || source_.peek() != 'u') {
    read_escape();
    return replace("?" + ahead_);
  }
  take();
  const std::string second = hex_digits();
  if (!is_low_surrogate(second)) return replace("??");
  ahead_ += "\\u" + second;
}

void JsonBytes::read_utf8(unsigned char first) {
  ahead_.push_back(static_cast<char>(first));
  const std::size_t length = 1 + num_continuing(first);
  while (ahead_.size() < length && !source_.at_end() && continues(source_.peek())) ahead_.push_back(take());
  if (utf8_length(ahead_, 0) != ahead_.size()) replace("?");
}

std::string JsonBytes::hex_digits() {
  std::string digits;
  while (digits.size() < 4 && !source_.at_end() && is_hex(source_.peek())) digits.push_back(take());
  return digits;
}

char JsonBytes::take() {
  const char taken = source_.peek();
  source_.advance();
  return taken;
}

void JsonBytes::replace(const std::string& by) {
  ahead_ = by;
  ++num_replaced_;
}

}  // namespace tessera::importer
