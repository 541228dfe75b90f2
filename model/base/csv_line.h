// SPDX-License-Identifier: Apache-2.0
// Parses a line of CSV (RFC 4180 without line ends in quotes): its cells, and whole numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct CsvCell {
  std::string_view text;   // as in the line, quotes included
  std::size_t column = 1;  // of its first character, from 1
};

// Commas in double quotes do not separate cells. `cells` is cleared first.
void split_csv(std::string_view line, std::vector<CsvCell>& cells);

// The text of a cell without its quotes; a doubled quote inside becomes one.
std::string unquoted(std::string_view cell);

// Cells without their quotes.
std::vector<std::string> csv_texts(std::string_view line);

// Empty if the text is not a whole number or exceeds 64 bits.
std::optional<std::uint64_t> whole_number(std::string_view text);

}  // namespace tessera
