// SPDX-License-Identifier: Apache-2.0
// Reads CsvSink's output record by record, since a log may be larger than memory.
#pragma once

#include <cstdint>
#include <istream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/base/csv_line.h"
#include "model/record/names.h"
#include "model/record/record.h"

namespace tessera::record {

// A mistake in a line, for a message `file:line:column: column's name: problem (value; allowed)`.
struct CsvError : std::runtime_error {
  CsvError(std::uint64_t line_number, std::size_t column_number, std::string name, const std::string& problem,
           std::string cell, std::string allowed_cells)
      : std::runtime_error(problem),
        line(line_number),
        column(column_number),
        key(std::move(name)),
        value(std::move(cell)),
        allowed(std::move(allowed_cells)) {}

  std::uint64_t line;  // from 1
  std::size_t column;  // of its text, from 1
  std::string key;     // name of the column; empty: the whole line
  std::string value;
  std::string allowed;
};

class CsvSource {
 public:
  // Reads the header. `in` and `names` must outlive the source. Throws CsvError, as next() does.
  CsvSource(std::istream& in, const Names& names);

  // Returns false at the end. A log that ends within a line is truncated, which is an error.
  bool next(Record& record);

 private:
  bool read_line();
  void split();
  Record parse() const;
  std::uint64_t number(std::size_t cell, std::uint64_t limit) const;
  std::uint16_t kernel_of(std::uint16_t process) const;
  Technique technique() const;
  [[noreturn]] void fail(std::size_t cell, const std::string& problem, const std::string& allowed = "") const;

  std::istream& in_;
  const Names& names_;
  std::unordered_map<std::string_view, Kind> kinds_;
  using Indices = std::unordered_map<std::string_view, std::uint16_t>;  // by name
  Indices processes_;
  std::vector<Indices> kernels_;  // [process]
  std::string line_;
  std::vector<CsvCell> cells_;         // without their quotes
  std::vector<std::string> unquoted_;  // texts of quoted cells
  std::uint64_t line_number_ = 0;
  Cycle last_cycle_ = 0;
};

}  // namespace tessera::record
