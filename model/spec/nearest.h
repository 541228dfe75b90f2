// SPDX-License-Identifier: Apache-2.0
// The known word that a misspelt one most probably stands for.
// Internal to model/spec.
#pragma once

#include <string_view>
#include <vector>

namespace tessera::spec {

// The candidate with the smallest edit distance (insert, delete, replace, swap neighbours; capitals count as
// small letters), the first of equals. Empty if there are no candidates.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace tessera::spec
