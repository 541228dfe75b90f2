// SPDX-License-Identifier: Apache-2.0
// A word a paper, and one for silicon: nothing else knows which there are.
#include "campaign/papers.h"

#include <stdexcept>

#include "campaign/g16/reproduction.h"
#include "campaign/k11/reproduction.h"
#include "campaign/s16/reproduction.h"
#include "campaign/silicon/reproduction.h"
#include "campaign/t14/reproduction.h"
#include "campaign/z21/reproduction.h"
#include "model/spec/loader.h"

namespace tessera::campaign {

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all{t14::paper(), s16::paper(), k11::paper(),
                                      z21::paper(), g16::paper(), silicon::paper()};
  return all;
}

const Paper& paper_of(const std::string& target) {
  for (const Paper& paper : papers()) {
    for (const Target& one : paper.targets) {
      if (one.name == target) return paper;
    }
  }
  throw std::out_of_range("no target " + target);
}

Reproduction reproduce(const Request& request) { return paper_of(request.target).reproduce(request); }

spec::Spec load_paper(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return spec::load_experiment(file, overrides, spec::Cores::kTlm, spec::UnreadKeys::kKept);
}

}  // namespace tessera::campaign
