// SPDX-License-Identifier: Apache-2.0
// IVerilatedCore::start_late: the counters of a kernel, where its row stands in the Verilated model. Without parity: a
// row that is changed behind the core's back has the wrong bit.
#pragma once

#include "cosim/glue/register_view.h"

namespace tessera::cosim {

// `width` bits, 1 to 64, from bit `lsb` on.
template <typename Packed>
void replace_bits(Packed& packed, unsigned lsb, unsigned width, std::uint64_t value) {
  for (unsigned i = lsb; i < lsb + width; ++i, value >>= 1) {
    if constexpr (std::is_integral_v<Packed>) {
      packed = static_cast<Packed>((packed & ~(std::uint64_t{1} << i)) | (value & 1) << i);
    } else {
      packed[i / 32] = static_cast<EData>((packed[i / 32] & ~(1U << i % 32)) | (value & 1) << i % 32);
    }
  }
}

// The row of a kernel none of whose thread blocks was issued, in RAM: {next_tb, ~remaining, ...}.
inline void start_kernel_late(Vtsr_core___024root& root, unsigned ksr, std::uint32_t num_tbs) {
  constexpr unsigned kNotLeft = kTbCountWidth + 2 * kSmWidth + kRingAddress + 3 * kSlotCountWidth;
  auto& row = TESSERA_REGISTER(u_ksr_row__DOT__u_rows, mem_q)[ksr];
  replace_bits(row, kNotLeft, kTbWidth, bits(row, kNotLeft, kTbWidth) + num_tbs);
  replace_bits(row, kNotLeft + kTbWidth, kTbWidth, num_tbs);
}

}  // namespace tessera::cosim
