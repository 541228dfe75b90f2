// SPDX-License-Identifier: Apache-2.0
// What JSON's parser reads from: the bytes of a file, with what JSON does not allow replaced. Outside of strings,
// numbers that are none (`inf` and `nan`, which older profilers and Python write) have become null. In strings, bytes
// that are no UTF-8 and raw control characters have become `?`, and a backslash that escapes nothing stands for itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "importer/readers/byte_source.h"

namespace tessera::importer {

class JsonBytes {
 public:
  explicit JsonBytes(ByteSource& source) : source_(source) { look(); }

  bool at_end() { return next_ == ahead_.size() && source_.at_end(); }
  char peek() { return next_ < ahead_.size() ? ahead_[next_] : source_.peek(); }
  void advance() {
    if (next_ < ahead_.size()) {
      if (++next_ == ahead_.size()) look();
      return;
    }
    if (source_.peek() == '"') in_string_ = !in_string_;
    source_.advance();
    look();
  }
  // Places in strings that were replaced so far.
  std::uint64_t num_replaced() const { return num_replaced_; }

 private:
  void look() {
    if (source_.at_end()) return;
    const auto next = static_cast<unsigned char>(source_.peek());
    if (in_string_) {
      if (next == '\\' || next < 0x20 || next >= 0x80) read_text(next);
    } else if (next == 'n' || next == 'N' || next == 'i' || next == 'I' || next == '-') {
      read_word();
    }
  }
  void read_word();
  void read_text(unsigned char first);
  void read_escape();
  void read_unicode_escape();
  void read_utf8(unsigned char first);
  std::string hex_digits();
  char take();
  void replace(const std::string& by);

  ByteSource& source_;
  bool in_string_ = false;
  std::string ahead_;  // of the source, from `next_` on
  std::size_t next_ = 0;
  std::uint64_t num_replaced_ = 0;
};

class JsonIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  JsonIterator() = default;  // the end
  explicit JsonIterator(JsonBytes& bytes) : bytes_(&bytes) {}
  char operator*() const { return bytes_->peek(); }
  JsonIterator& operator++() {
    bytes_->advance();
    return *this;
  }
  JsonIterator operator++(int) {
    JsonIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const JsonIterator& other) const { return is_end() == other.is_end(); }
  bool operator!=(const JsonIterator& other) const { return !(*this == other); }

 private:
  bool is_end() const { return bytes_ == nullptr || bytes_->at_end(); }
  JsonBytes* bytes_ = nullptr;
};

}  // namespace tessera::importer
