// SPDX-License-Identifier: Apache-2.0
// What a conclusion depends on: figures under other readings and inputs, beside those of the configured ones.
#pragma once

#include <string>
#include <vector>

#include "campaign/reproduction.h"

namespace tessera::campaign {

// A printed number is hit where ours is at most so far from it, over the print.
inline constexpr double kHit = 0.15;

// Those of the paper that say something about the target, which may be all of its figures.
std::vector<const Variant*> variants_of(const Paper& paper, const std::string& target);

// The target, then each variant's figures with its name behind theirs, then a table of all of these variants: hits and
// orderings, of the same figures as configured, reason, source and free inputs. `names`: of variants_of(). Throws
// std::out_of_range for another one, and what the paper's reproduction throws.
Reproduction reproduce_with_variants(const Paper& paper, const Request& request, const std::vector<std::string>& names);

}  // namespace tessera::campaign
