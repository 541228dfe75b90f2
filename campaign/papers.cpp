// SPDX-License-Identifier: Apache-2.0
// A line a paper: nothing else knows which there are.
#include "campaign/papers.h"

#include <stdexcept>

#include "campaign/g16/reproduction.h"
#include "campaign/k11/reproduction.h"
#include "campaign/s16/reproduction.h"
#include "campaign/t14/reproduction.h"
#include "campaign/z21/reproduction.h"
#include "model/spec/loader.h"

namespace tessera::campaign {
namespace {

// Of a paper whose workloads are all there are.
bool has_no_averages(const std::string&) { return false; }

}  // namespace

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all{
      {"papers/t14.yaml", "t14", t14::targets, t14::reproduce, t14::has_averages, t14::variants},
      {"papers/s16.yaml", "s16", s16::targets, s16::reproduce, has_no_averages, s16::variants},
      {"papers/k11.yaml", "k11", k11::targets, k11::reproduce, has_no_averages, k11::variants},
      {"papers/z21.yaml", "z21", z21::targets, z21::reproduce, has_no_averages, z21::variants},
      {"papers/g16.yaml", "g16", g16::targets, g16::reproduce, has_no_averages, g16::variants},
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

spec::Spec load_paper(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return spec::load_experiment(file, overrides, spec::Cores::kTlm, spec::UnreadKeys::kKept);
}

}  // namespace tessera::campaign
