// SPDX-License-Identifier: Apache-2.0
// The Verilog parameters of one core, derived from rtl_model::Params so that both clocked cores have the same sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/i_verilated_core.h"

namespace tessera::rtl_model {
struct Params;
}

namespace tessera::cosim {

// Parameters of tsr_scheduler.v. Cores with equal parameters share one build.
struct Elaboration {
  explicit Elaboration(const rtl_model::Params& params);

  std::uint32_t num_sms;
  std::uint32_t max_tbs_per_sm;
  std::uint32_t num_ksrs;
  std::uint32_t num_command_buffers;
  std::uint32_t num_contexts;
  std::uint32_t ptbq_depth;
  std::uint32_t tb_width;
  std::uint32_t search_width;
  std::uint32_t tag_width;   // of a set-up's tag; 0: none
  std::uint32_t kept_turn;   // whether contexts can keep their turn
  std::uint32_t refill;      // whether it has a refill lane
  std::uint32_t policies;    // one bit per policy code
  std::uint32_t wait_width;  // width of the latencies
  std::uint32_t parity = 0;  // parity bits per word of RAM
  std::uint32_t linger = 1;  // whether it is used depends on the strap
};

struct VerilogParameter {
  const char* name;
  std::uint32_t value;
};
std::vector<VerilogParameter> verilog_parameters(const Elaboration& elaboration);

Straps straps_of(const rtl_model::Params& params);

// "13 SMs, 16 contexts, ...", for the progress line.
std::string describe(const Elaboration& elaboration);

}  // namespace tessera::cosim
