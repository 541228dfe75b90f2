// SPDX-License-Identifier: Apache-2.0
// Reads a line of CSV (RFC 4180, but for line ends in quotes): its cells, and whole numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct CsvCell {
  std::string_view text;   // as it stands in the line
  std::size_t column = 1;  // where it begins, from 1
};

// Commas in double quotes separate nothing. `cells` is emptied first.
void split_csv(std::string_view line, std::vector<CsvCell>& cells);

// The text of a cell without its quotes; two in quotes stand for one.
std::string unquoted(std::string_view cell);

// Cells without their quotes.
std::vector<std::string> csv_texts(std::string_view line);

// None where the text is no whole number, or one beyond 64 bits.
std::optional<std::uint64_t> whole_number(std::string_view text);

}  // namespace tessera
