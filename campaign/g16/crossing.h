// SPDX-License-Identifier: Apache-2.0
// A kernel of 100 ms that fills the K20c, and beside it one of 1 ms, by turns of the token, under hardware preemption,
// and under both: what configs/experiments/gloop_or_preemption.yaml runs, and variations of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "campaign/g16/scenario.h"

namespace tessera::campaign::g16 {

inline constexpr std::size_t kLong = 0;  // of the processes
inline constexpr std::size_t kShort = 1;
inline constexpr std::uint32_t kShortRuns = 5;
inline constexpr std::uint32_t kThresholdUs = 100;
inline constexpr std::uint32_t kKillUs = 5000;
inline constexpr std::uint32_t kLoopsPerSm = 8;  // 104 on 13 SMs: their contexts are saved together

// Who gives the GPU to whom.
struct Way {
  std::string name;
  bool has_token;
  spec::PolicyKind policy;
  spec::TechniqueKind technique;
  Picoseconds token_switch = 0;
};

const Way& token();                          // with a switch that costs nothing
const Way& fitted_token();                   // with one as it is fitted to Figure 4a
const Way& neither();                        // fcfs
const Way& ppq();                            // by context switch
std::vector<Way> hardware();                 // that preempts
Way under_token(Way way, const Way& token);  // the same, and a token
std::vector<Way> ways();                     // all of them

const std::vector<std::uint32_t>& callbacks_us();
const std::vector<std::uint32_t>& state_bytes();  // with callbacks of 1 us

// What follows the name of a way in that of a scenario.
inline constexpr const char* kUnyielding = ", one callback";  // of 5 s
inline constexpr const char* kPreempting = ", on_timeout preempt";
std::string callback_name(std::uint32_t us);
std::string state_name(std::uint32_t bytes);

// The machine to itself, without a driver: what `tessera run` takes as alone.
std::string alone_name(const std::string& process);

}  // namespace tessera::campaign::g16
