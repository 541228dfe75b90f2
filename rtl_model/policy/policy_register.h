// SPDX-License-Identifier: Apache-2.0
// The policy register: policy 2:0, technique 3, access 4, exclusive scope 5, token scope 6, debt 8:7, remainder 9,
// flush 10, order 11.
#pragma once

#include <cstdint>

namespace tessera::rtl_model {

enum class Debt : std::uint32_t { kAlways, kGap, kLone, kNever };

struct PolicyRegister {
  std::uint32_t code = 0;
  bool is_draining = false;  // technique, of SMs that are reserved from now on
  bool is_shared = false;    // access: SMs that the first in rank cannot use go to others
  bool takes_all = false;    // exclusive scope
  bool by_process = false;   // token scope
  Debt debt = Debt::kAlways;
  bool gives_once = false;   // remainder
  bool is_flushing = false;  // technique, of SMs that are told to give their TBs up from now on
  bool by_priority = false;  // static_partition: the order in a partition; else by dues

  static PolicyRegister of(std::uint64_t data) {
    const auto bit = [data](unsigned position) { return (data >> position & 1) != 0; };
    return {static_cast<std::uint32_t>(data & 7), bit(3), bit(4),  bit(5), bit(6),
            static_cast<Debt>(data >> 7 & 3),     bit(9), bit(10), bit(11)};
  }
  std::uint32_t data() const {
    const auto bit = [](bool value, unsigned position) { return std::uint32_t{value} << position; };
    return code | bit(is_draining, 3) | bit(is_shared, 4) | bit(takes_all, 5) | bit(by_process, 6) |
           static_cast<std::uint32_t>(debt) << 7 | bit(gives_once, 9) | bit(is_flushing, 10) | bit(by_priority, 11);
  }
};

}  // namespace tessera::rtl_model
