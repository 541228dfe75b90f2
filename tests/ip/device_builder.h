// SPDX-License-Identifier: Apache-2.0
// Verilated devices, built at the first use as cores are, and kept in their cache.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/spec/policies.h"
#include "tests/ip/devices.h"

namespace tessera::ip {

// Numbers of SMs and contexts are no powers of two: some indices are nobody's.
struct Sizes {
  unsigned num_sms = 5;
  unsigned max_tbs_per_sm = 4;
  unsigned num_ksrs = 4;
  unsigned num_command_buffers = 4;  // at most 32 here
  unsigned num_contexts = 3;
  unsigned done_depth = 8;
  unsigned policies = 0b11111;
  unsigned kept_turn = 0;
};

// That count 0 .. n.
constexpr unsigned num_bits(unsigned n) { return n == 0 ? 0 : 1 + num_bits(n / 2); }

// With edf, static_partition and a kept turn, and the registers that they bring.
constexpr Sizes with_everything() {
  Sizes sizes;
  sizes.policies = spec::policy_mask(spec::Cores::kClocked);  // all
  sizes.kept_turn = 1;
  return sizes;
}

std::unique_ptr<IFrontEnd> make_front_end(const Sizes& sizes);
std::unique_ptr<IIp> make_ip(const Sizes& sizes);

}  // namespace tessera::ip
