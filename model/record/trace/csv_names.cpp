// SPDX-License-Identifier: Apache-2.0
#include "model/record/trace/csv_names.h"

#include <fmt/format.h>

#include "model/record/trace/csv_cell.h"

namespace tessera::record {

CsvNames::CsvNames(const Names& names) {
  for (const std::string& process : names.processes) processes_.push_back(csv_cell(process));
  for (const std::vector<std::string>& kernels : names.kernels) {
    std::vector<std::string>& cells = kernels_.emplace_back();
    for (const std::string& kernel : kernels) cells.push_back(csv_cell(kernel));
  }
}

std::string_view CsvNames::process(LaunchTable::Kernel of) const {
  return of.process != kNoIndex ? std::string_view(processes_.at(of.process)) : std::string_view();
}

std::string_view CsvNames::kernel(LaunchTable::Kernel of) const {
  return of.kernel != kNoIndex ? std::string_view(kernels_.at(of.process).at(of.kernel)) : std::string_view();
}

std::string us_cell(const Clock& clock, Cycle cycles) {
  constexpr Picoseconds kPerMicrosecond = 1'000'000;
  const Picoseconds time = clock.time_of(cycles);
  std::string text = fmt::format("{}.{:06}", time / kPerMicrosecond, time % kPerMicrosecond);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace tessera::record
