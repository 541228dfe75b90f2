// SPDX-License-Identifier: Apache-2.0
// Taken from the Spec.
#include "model/record/run_start.h"

#include "model/spec/spec.h"

namespace tessera::record {

std::vector<RunStart> run_starts_of(const spec::Spec& spec) {
  std::vector<RunStart> starts;
  for (const spec::ProcessSpec& process : spec.processes) {
    const bool skips = process.releases && process.releases->overrun == spec::Overrun::kSkip;
    const RunStart released = skips ? RunStart::kReleasedOrSkipped : RunStart::kReleased;
    starts.push_back(process.releases ? released : RunStart::kBackToBack);
  }
  return starts;
}

}  // namespace tessera::record
