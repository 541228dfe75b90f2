// SPDX-License-Identifier: Apache-2.0
// Quotes may stand anywhere in a cell.
#include "model/base/csv_line.h"

#include <charconv>

namespace tessera {
namespace {

std::size_t end_of_cell(std::string_view line, std::size_t at) {
  bool is_quoted = false;
  for (; at < line.size() && (is_quoted || line[at] != ','); ++at) {
    if (line[at] == '"') is_quoted = !is_quoted;
  }
  return at;
}

}  // namespace

void split_csv(std::string_view line, std::vector<CsvCell>& cells) {
  cells.clear();
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = end_of_cell(line, at);
    cells.push_back({line.substr(at, end - at), at + 1});
    at = end + 1;
  }
}

std::string unquoted(std::string_view cell) {
  std::string text;
  bool is_quoted = false;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell[i] != '"') {
      text += cell[i];
    } else if (is_quoted && i + 1 < cell.size() && cell[i + 1] == '"') {
      text += cell[i++];
    } else {
      is_quoted = !is_quoted;
    }
  }
  return text;
}

std::vector<std::string> csv_texts(std::string_view line) {
  std::vector<CsvCell> cells;
  split_csv(line, cells);
  std::vector<std::string> texts;
  for (const CsvCell& cell : cells) texts.push_back(unquoted(cell.text));
  return texts;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace tessera
