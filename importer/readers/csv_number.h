// SPDX-License-Identifier: Apache-2.0
// Numbers in the tables of profilers.
#pragma once

#include <optional>
#include <string>

namespace tessera::importer {

// Without blanks around it, and not negative; none where it is no number. Commas before three digits each are
// taken for what separates thousands, and no other.
std::optional<double> csv_number(const std::string& cell);

}  // namespace tessera::importer
