// SPDX-License-Identifier: Apache-2.0
// The policy register, written over the control pins (docs/hardware/timing.md 3.2): policy 3:0, technique 6:4, access
// 7, exclusive scope 8, token scope 9, debt 11:10, remainder 12, order 13, turn 14, switch scope 15.
#pragma once

#include <cstdint>

#include "model/spec/policies.h"

namespace tessera::rtl_model {

inline constexpr std::uint32_t kPolicyCodeMask = 15;  // bits 3:0
inline constexpr unsigned kTechniqueShift = 4;        // 3 bits
inline constexpr std::uint32_t kTechniqueCodeMask = 7;

enum class Debt : std::uint32_t { kAlways, kGap, kLone, kNever };

struct PolicyRegister {
  std::uint32_t code = 0;
  std::uint32_t technique = 0;  // its code
  bool is_shared = false;       // access: SMs that the first kernel in order cannot use go to others
  bool takes_all = false;       // exclusive scope
  bool by_process = false;      // token scope
  Debt debt = Debt::kAlways;
  bool gives_once = false;   // remainder
  bool by_priority = false;  // order, for a policy with a choice: by priority, else by deadline
  bool keeps_turn = false;   // time_slice: contexts keep their turn; 0 in a core without one
  bool evicts = false;       // switch scope of a kept turn: the whole GPU, at once; likewise

  bool is_draining() const { return technique == 1; }  // applies to SMs reserved from now on
  bool is_flushing() const { return technique == 2; }  // applies to SMs told to give up their TBs from now on
  bool has_technique() const { return technique <= 2; }

  static PolicyRegister of(std::uint64_t data) {
    const auto bit = [data](unsigned position) { return (data >> position & 1) != 0; };
    return {static_cast<std::uint32_t>(data & kPolicyCodeMask),
            static_cast<std::uint32_t>(data >> kTechniqueShift & kTechniqueCodeMask),
            bit(7),
            bit(8),
            bit(9),
            static_cast<Debt>(data >> 10 & 3),
            bit(12),
            bit(13),
            bit(14),
            bit(15)};
  }
  std::uint32_t data() const {
    const auto bit = [](bool value, unsigned position) { return std::uint32_t{value} << position; };
    return code | technique << kTechniqueShift | bit(is_shared, 7) | bit(takes_all, 8) | bit(by_process, 9) |
           static_cast<std::uint32_t>(debt) << 10 | bit(gives_once, 12) | bit(by_priority, 13) | bit(keeps_turn, 14) |
           bit(evicts, 15);
  }
};

// The register value of an experiment's scheduler. Throws std::invalid_argument for what the clocked cores do not
// support, since they would silently run another policy.
std::uint32_t policy_register(const spec::SchedulerSpec& scheduler);

}  // namespace tessera::rtl_model
