// SPDX-License-Identifier: Apache-2.0
// Words outside of strings.
#include "importer/readers/json_bytes.h"

#include <algorithm>
#include <cctype>

namespace tessera::importer {

void JsonBytes::read_word() {
  constexpr std::size_t kMaxWord = 16;
  word_.clear();
  next_ = 0;
  const auto belongs = [this](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || (word_.empty() && c == '-');
  };
  while (word_.size() < kMaxWord && !source_.at_end() && belongs(source_.peek())) {
    word_.push_back(source_.peek());
    source_.advance();
  }
  std::string lower = word_.substr(word_.front() == '-' ? 1 : 0);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  if (lower == "nan" || lower == "inf" || lower == "infinity") word_ = "null";
}

}  // namespace tessera::importer
