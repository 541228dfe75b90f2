// SPDX-License-Identifier: Apache-2.0
// Names of processes and kernels, and times, as cells of a table. Names are quoted once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/base/time.h"
#include "model/record/names.h"

namespace tessera::record {

class CsvNames {
 public:
  explicit CsvNames(const Names& names);

  // Empty where there is no process, or no kernel.
  std::string_view process(LaunchTable::Kernel of) const;
  std::string_view kernel(LaunchTable::Kernel of) const;

 private:
  std::vector<std::string> processes_;
  std::vector<std::vector<std::string>> kernels_;
};

// "12.5": in us, to the picosecond, without trailing zeros.
std::string us_cell(const Clock& clock, Cycle cycles);

}  // namespace tessera::record
