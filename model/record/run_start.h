// SPDX-License-Identifier: Apache-2.0
// How the runs of a process come to be: what a log can show of them depends on it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/spec/spec_fwd.h"

namespace tessera::record {

enum class RunStart : std::uint8_t {
  kBackToBack,         // when the one before has ended
  kReleased,           // when they are released, and the one before has ended
  kReleasedOrSkipped,  // when they are released, unless one goes on then
};

std::vector<RunStart> run_starts_of(const spec::Spec& spec);  // by process

}  // namespace tessera::record
