// SPDX-License-Identifier: Apache-2.0
// What is made of the points' files at the end of a sweep, and on demand.
#pragma once

#include "sweep/table.h"

namespace tessera::sweep {

// points.csv, sweep.sqlite, summary.md and plots/. False where there is no gnuplot: its scripts are there all the same.
bool write_results(const Table& table, const Folder& folder);

}  // namespace tessera::sweep
