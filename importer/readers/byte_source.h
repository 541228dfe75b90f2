// SPDX-License-Identifier: Apache-2.0
// The bytes of a file, plain or gzip, a piece at a time, with the line and column that a reader has reached.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/spec/diagnostics.h"

namespace tessera::importer {

class ByteSource {
 public:
  // Throws spec::InputError where the file cannot be read; so do the others, for gzip that is damaged or ends early.
  explicit ByteSource(const std::filesystem::path& path);

  bool at_end() {
    if (next_ < filled_) return false;
    return !refill();
  }
  char peek() const { return buffer_[next_]; }  // not at the end
  void advance() {
    if (buffer_[next_++] == '\n') {
      ++line_;
      line_start_ = offset_ + next_;
    }
  }
  // The next line without its end; none at the end. A line of more than `kMaxLine` bytes is none of text.
  std::optional<std::string> line();

  // With what is wrong where the reader stands.
  [[noreturn]] void fail(const std::string& problem, const std::string& value = "",
                         const std::string& allowed = "") const;
  int line_number() const { return text_line_ > 0 ? text_line_ : line_; }  // of the last line(), if any
  const std::string& name() const { return name_; }
  bool is_packed() const;  // gzip, as far as was read

 private:
  struct Close {
    void operator()(void* file) const;
  };
  bool refill();

  std::string name_;
  std::unique_ptr<void, Close> file_;  // zlib's gzFile, which reads plain files too
  std::vector<char> buffer_;
  std::size_t next_ = 0;
  std::size_t filled_ = 0;
  std::size_t offset_ = 0;  // of the buffer in the file
  std::size_t line_start_ = 0;
  int line_ = 1;
  int text_line_ = 0;  // of what line() returned last; 0: nothing
};

}  // namespace tessera::importer
