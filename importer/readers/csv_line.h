// SPDX-License-Identifier: Apache-2.0
// Cells of a line of CSV, and numbers in them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera::importer {

// Cells may stand in double quotes, and have commas and doubled quotes then.
std::vector<std::string> csv_cells(const std::string& line);
// Without blanks around it, and not negative; none where it is no number. Commas before three digits each are
// taken for what separates thousands, and no other.
std::optional<double> csv_number(const std::string& cell);

}  // namespace tessera::importer
