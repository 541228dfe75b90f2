// SPDX-License-Identifier: Apache-2.0
// IVerilatedCore::start_late: the counters of a kernel, where its row stands in the Verilated model. Without parity: a
// row that is changed behind the core's back has the wrong bit.
#pragma once

#include "cosim/glue/register_view.h"

namespace tessera::cosim {

// The row of a kernel none of whose thread blocks was issued, in RAM: {next_tb, ~remaining, ...}.
template <typename Root>
void start_kernel_late(Root& root, unsigned ksr, std::uint32_t num_tbs) {
  auto& row = TESSERA_REGISTER(u_ksr_row__DOT__u_rows, mem_q)[ksr];
  if constexpr (kRefill != 0) {
    const bool refills = start_split_row_late(row, TESSERA_STEPS_REGISTER(u_steps__DOT__mem_q)[ksr],
                                              TESSERA_STEPS_REGISTER(u_bases__DOT__mem_q)[ksr], num_tbs);
    replace_bits(TESSERA_REGISTER(u_ksr_status__DOT__g_refill, refills_q), ksr, 1, refills);
  } else {
    constexpr unsigned kNotLeft = kTbCountWidth + 2 * kSmWidth + kRingAddress + 3 * kSlotCountWidth;
    replace_bits(row, kNotLeft, kTbWidth, bits(row, kNotLeft, kTbWidth) + num_tbs);
    replace_bits(row, kNotLeft + kTbWidth, kTbWidth, num_tbs);
  }
}

}  // namespace tessera::cosim
