// SPDX-License-Identifier: Apache-2.0
// What JSON's parser reads from: the bytes of a file, in which numbers that are none (`inf` and `nan`, which older
// profilers and Python write, though JSON has no word for them) have become null.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>

#include "importer/readers/byte_source.h"

namespace tessera::importer {

class JsonBytes {
 public:
  explicit JsonBytes(ByteSource& source) : source_(source) { look(); }

  bool at_end() { return next_ == word_.size() && source_.at_end(); }
  char peek() { return next_ < word_.size() ? word_[next_] : source_.peek(); }
  void advance() {
    if (next_ < word_.size()) {
      ++next_;
      if (next_ == word_.size()) look();
      return;
    }
    follow(source_.peek());
    source_.advance();
    look();
  }

 private:
  // Whether what comes next stands in a string.
  void follow(char passed) {
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (passed == '"') {
      in_string_ = !in_string_;
    } else if (passed == '\\') {
      is_escaped_ = in_string_;
    }
  }
  void look() {
    if (in_string_ || source_.at_end()) return;
    const char next = source_.peek();
    if (next == 'n' || next == 'N' || next == 'i' || next == 'I' || next == '-') read_word();
  }
  void read_word();

  ByteSource& source_;
  bool in_string_ = false;
  bool is_escaped_ = false;
  std::string word_;  // ahead of the source, from `next_` on
  std::size_t next_ = 0;
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
