// SPDX-License-Identifier: Apache-2.0
// A line a paper: nothing else knows which there are.
#include "campaign/papers.h"

#include <stdexcept>

#include "campaign/k11/reproduction.h"
#include "campaign/s16/reproduction.h"
#include "campaign/t14/reproduction.h"

namespace tessera::campaign {

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all{
      {"papers/t14.yaml", t14::targets, t14::reproduce, t14::has_averages, t14::variants, t14::is_of_variants},
      {"papers/s16.yaml", s16::targets, s16::reproduce, s16::has_averages, s16::variants, s16::is_of_variants},
      {"papers/k11.yaml", k11::targets, k11::reproduce, k11::has_averages, k11::variants, k11::is_of_variants},
  };
  return all;
}

const Paper& paper_of(const std::string& target) {
  for (const Paper& paper : papers()) {
    for (const Target& one : paper.targets()) {
      if (one.name == target) return paper;
    }
  }
  throw std::out_of_range("no target " + target);
}

}  // namespace tessera::campaign
