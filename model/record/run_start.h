// SPDX-License-Identifier: Apache-2.0
// What starts the runs of a process; determines what a log can contain.
#pragma once

#include <cstdint>
#include <vector>

#include "model/spec/spec_fwd.h"

namespace tessera::record {

enum class RunStart : std::uint8_t {
  kBackToBack,         // when the previous run has ended
  kReleased,           // when released and the previous run has ended
  kReleasedOrSkipped,  // when released, unless another run is active
};

std::vector<RunStart> run_starts_of(const spec::Spec& spec);  // by process

}  // namespace tessera::record
