// SPDX-License-Identifier: Apache-2.0
// Experiments drawn from a seed, to set two models against each other: every policy that both
// have, every technique, 1 to 64 SMs.
#pragma once

#include <cstdint>

#include "model/spec/spec_fwd.h"

namespace tessera::verification {

// All is drawn after the rest. kWith: one that holds groups back. kToken: a sixth have event-driven kernels, most of
// these a token.
enum class RandomDriver { kWithout, kWith, kToken };

// kWith: links between the scheduler and the SMs, drawn behind all else: 0 to 20 cycles up and down, the same for all
// SMs or for each its own, and a tag of one bit or two.
enum class RandomLinks { kWithout, kWith };

// Behind even that, two thirds of those with time slices keep the turn.
//
// The same for the same seed, everywhere. Kernels and host phases are short, so that a few milliseconds of GPU time
// hold hundreds of launches; every process has one stream, so that its kernels arrive in one order. One TB is issued a
// cycle: on a faster core several things happen in an SM cycle, and a log does not tell their order.
spec::Spec random_experiment(std::uint64_t seed, RandomDriver driver = RandomDriver::kWithout,
                             RandomLinks links = RandomLinks::kWithout);

}  // namespace tessera::verification
