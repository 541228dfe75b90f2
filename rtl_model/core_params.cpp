// SPDX-License-Identifier: Apache-2.0
// What sizes a core may have.
#include "rtl_model/core_params.h"

#include <stdexcept>
#include <string>

namespace tessera::rtl_model {
namespace {

void require(bool is_so, const std::string& what) {
  if (!is_so) throw std::invalid_argument("rtl_model: " + what);
}

void require_rows(std::uint32_t rows, const std::string& what) {
  require(rows >= 1 && rows <= RowSet::kMax, what + ": 1 .. " + std::to_string(RowSet::kMax));
}

}  // namespace

void CoreParams::check() const {
  require_rows(num_sms, "num_sms");
  require_rows(num_ksrs, "num_ksrs");
  require_rows(num_command_buffers, "num_command_buffers");
  require_rows(num_contexts, "num_contexts");
  require(max_tbs_per_sm >= 1, "max_tbs_per_sm: 1 at least");
  require(ptbq_depth >= max_tbs_per_sm, "ptbq_depth: max_tbs_per_sm at least");
  require(tb_width >= 4 && tb_width <= 32, "tb_width: 4 .. 32");
  require(search_width == 1 || search_width == 2 || search_width == 4, "search_width: 1, 2, 4");
  require(tag_width <= kMaxTagWidth, "tag_width: 0 .. 3");
  require(!has_refill_lane || tag_width > 0, "has_refill_lane: with a tag_width of 1 or more");
  require((policies >> (policy & kPolicyCodeMask) & 1) != 0, "policy: one that the core has");
  require(PolicyRegister::of(policy).has_technique(), "policy: with a technique that the core has");
  require(activation_cycles >= 1, "activation_cycles: 1 at least");
  require(search_step_cycles >= 1, "search_step_cycles: 1 at least");
  require(is_breadth_first || !issues_in_rounds, "issues_in_rounds: breadth first only");
}

}  // namespace tessera::rtl_model
