// SPDX-License-Identifier: Apache-2.0
// The numbers of rtl_model::Params, under the names that the Verilog has for them.
#include "cosim/elaboration.h"

#include <fmt/format.h>

#include "rtl_model/params.h"
#include "rtl_model/policy/policy_register.h"

namespace tessera::cosim {

Elaboration::Elaboration(const rtl_model::Params& params)
    : num_sms(params.num_sms),
      max_tbs_per_sm(params.max_tbs_per_sm),
      num_ksrs(params.num_ksrs),
      num_command_buffers(params.num_command_buffers),
      num_contexts(params.num_contexts),
      ptbq_depth(params.ptbq_depth),
      tb_width(params.tb_width),
      search_width(params.search_width),
      tag_width(params.tag_width),
      kept_turn(params.has_kept_turn ? 1 : 0),
      refill(params.has_refill_lane ? 1 : 0),
      policies(params.policies),
      wait_width(params.wait_width) {}

std::vector<VerilogParameter> verilog_parameters(const Elaboration& elaboration) {
  return {{"NUM_SMS", elaboration.num_sms},
          {"MAX_TBS_PER_SM", elaboration.max_tbs_per_sm},
          {"NUM_KSRS", elaboration.num_ksrs},
          {"NUM_COMMAND_BUFFERS", elaboration.num_command_buffers},
          {"NUM_CONTEXTS", elaboration.num_contexts},
          {"PTBQ_DEPTH", elaboration.ptbq_depth},
          {"SEARCH_WIDTH", elaboration.search_width},
          {"TB_WIDTH", elaboration.tb_width},
          {"POLICIES", elaboration.policies},
          {"WAIT_WIDTH", elaboration.wait_width},
          {"PARITY", elaboration.parity},
          {"LINGER", elaboration.linger},
          {"KEPT_TURN", elaboration.kept_turn},
          {"REFILL", elaboration.refill},
          {"TAG_WIDTH", elaboration.tag_width}};
}

Straps straps_of(const rtl_model::Params& params) {
  Straps straps;
  straps.policy = rtl_model::policy_register(params.scheduler);
  straps.activation_cycles = params.activation_cycles;
  straps.search_step_cycles = params.search_step_cycles;
  straps.is_breadth_first = params.is_breadth_first;
  straps.issues_in_rounds = params.has_rounds();
  straps.lingers = params.linger_cycles > 0;
  return straps;
}

std::string describe(const Elaboration& elaboration) {
  return fmt::format("{} SMs of {} thread blocks, {} KSRs, {} command buffers, {} contexts, {} rows a search step",
                     elaboration.num_sms, elaboration.max_tbs_per_sm, elaboration.num_ksrs,
                     elaboration.num_command_buffers, elaboration.num_contexts, elaboration.search_width);
}

}  // namespace tessera::cosim
