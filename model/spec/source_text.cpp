// SPDX-License-Identifier: Apache-2.0
// yaml-cpp counts bytes, marks an empty value where the next token stands, and takes the end of the text for a quote.
// Internal to model/spec.
#include "model/spec/source_text.h"

#include <algorithm>
#include <string_view>

namespace tessera::spec {

SourceText::SourceText(const std::string& text, const Location& start) : text_(text), start_(start) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) continuations_.push_back(i);
  }
}

Location SourceText::location_of(const YAML::Mark& mark) const {
  if (mark.is_null()) return start_;
  const std::size_t end = offset_of(mark);
  const std::size_t begin = end - std::min(end, static_cast<std::size_t>(mark.column));
  const int column = mark.column - static_cast<int>(continuations_before(end) - continuations_before(begin));
  const int column_offset = mark.line == 0 ? start_.column - 1 : 0;
  return {start_.file, start_.line + mark.line, column + 1 + column_offset};
}

bool SourceText::opens_quote_for_good(const YAML::Mark& mark) const {
  if (mark.is_null()) return false;
  std::size_t at = offset_of(mark);
  while (at < text_.size() && (text_[at] == '&' || text_[at] == '!')) {  // the mark is that of its anchor or tag
    at = text_.find_first_not_of(" \t", text_.find_first_of(" \t\n", at));
  }
  if (at >= text_.size() || (text_[at] != '\'' && text_[at] != '"')) return false;
  const char quote = text_[at];
  while (++at < text_.size()) {
    const bool is_escape = quote == '"' ? text_[at] == '\\' : text_.compare(at, 2, "''") == 0;
    if (is_escape) {
      ++at;
    } else if (text_[at] == quote) {
      return false;
    }
  }
  return true;
}

// Between the dash and the mark there is nothing but blanks and comments.
YAML::Mark SourceText::dash_before(YAML::Mark mark) const {
  std::size_t end = offset_of(mark);
  for (int line = mark.line; line >= 0; --line) {
    const std::size_t begin = end == 0 ? 0 : text_.rfind('\n', end - 1) + 1;
    std::string_view words = std::string_view(text_).substr(begin, end - begin);
    words = words.substr(0, words.find('#'));
    const std::size_t last = words.find_last_not_of(" \t\r");
    if (last != std::string_view::npos) {
      if (words[last] != '-') break;  // of a list in brackets
      mark.pos = static_cast<int>(begin + last);
      mark.line = line;
      mark.column = static_cast<int>(last);
      break;
    }
    if (begin == 0) break;
    end = begin - 1;
  }
  return mark;
}

std::size_t SourceText::offset_of(const YAML::Mark& mark) const {
  return std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size());
}

std::ptrdiff_t SourceText::continuations_before(std::size_t end) const {
  return std::lower_bound(continuations_.begin(), continuations_.end(), end) - continuations_.begin();
}

}  // namespace tessera::spec
