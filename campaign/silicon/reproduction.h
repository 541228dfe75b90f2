// SPDX-License-Identifier: Apache-2.0
// `tessera reproduce silicon`: the measurements files that we ship, as figures.
#pragma once

#include <string>
#include <vector>

#include "campaign/reproduction.h"
#include "campaign/silicon/scoreboard.h"

namespace tessera::campaign::silicon {

// A target is some rows of a file.
struct Part {
  Target target;
  const char* file;  // below configs/silicon
  const char* rows;  // the row of this name, or those whose names begin with it and a dash
};
const std::vector<Part>& parts();

// The names of a part's rows among those of its file.
std::vector<std::string> rows_of(const Part& part, const spec::MeasurementsSpec& measurements);

// Of rows that are scored: a value a quantity, as it is and under each ablation, and a claim where a tolerance is
// given.
Figure figure_of(const Part& part, const Scoreboard& board);

Paper paper();

}  // namespace tessera::campaign::silicon
