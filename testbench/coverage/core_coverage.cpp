// SPDX-License-Identifier: Apache-2.0
#include "testbench/coverage/core_coverage.h"

#include "model/spec/next_core.h"
#include "rtl_model/policy_register.h"
#include "testbench/coverage_next/next_coverage.h"

namespace tessera::testbench {
namespace {

constexpr std::uint32_t kPolicyBits = 0x7F;

bool changes_something(const CycleBefore& before, const rtl_model::SchedulerOutputs& out) {
  return !is_quiet(before.in) || out.sm_control.valid || before.out.dispatch.valid || out.dispatch.valid ||
         out.events.any() || out.kernel_done.valid;
}

}  // namespace

std::unique_ptr<ICoreCoverage> core_coverage() {
  if (spec::is_next_core_wanted()) return next_core::next_core_coverage();
  return std::make_unique<CoreCoverage>();
}

CoreCoverage::CoreCoverage() {
  for (const auto& make : {table_points, sm_points, search_points, policy_points, finish_points, pin_points}) {
    groups_.push_back(make(coverage_));
  }
  for (const char* state : {"idle", "begin", "activate", "walk", "distribute", "settle"}) {
    reset_in_state_.push_back(
        coverage_.add(std::string("reset.search_") + state, std::string("reset while the search is in ") + state));
  }
  reset_in_second_walk_ = coverage_.add("reset.search_second_walk", "reset in the walk that looks for a victim");
}

void CoreCoverage::reset(const ModelCore& core) {
  core_ = &core;
  const rtl_model::Params& params = core.params();
  probe_.attach(core.scheduler(), params.num_sms);
  policy_ = rtl_model::policy_register(params.scheduler);
  before_ = {};
  phases_.assign(params.num_sms, SmPhase::kIdle);
  before_.phases = phases_;
  for (const auto& group : groups_) group->reset(params);
}

void CoreCoverage::sample(const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out,
                          const Scoreboard& board) {
  search_ = probe_.search();
  const rtl_model::SmControlPins sent = probe_.sent();
  const bool has_changed = changes_something(before_, out);
  if (has_changed) {
    for (std::uint32_t sm = 0; sm < phases_.size(); ++sm) phases_[sm] = probe_.phase(sm);
  }
  const CycleView now{core_->params(), in,      out,     core_->scheduler().tables(),
                      probe_,          board,   search_, sent,
                      phases_,         policy_, before_, has_changed};
  for (const auto& group : groups_) group->sample(now);
  if (now.writes(rtl_model::ControlRegister::kPolicy)) {
    const auto data = static_cast<std::uint32_t>(in.control.data) & kPolicyBits;
    constexpr std::uint32_t kCode = rtl_model::kPolicyCodeMask;
    const bool is_reserved = (data & kCode) >= rtl_model::kNumPolicyCodes;
    policy_ = is_reserved ? (data & ~kCode) | (policy_ & kCode) : data;
  }
  before_.in = in;
  before_.out = out;
  before_.search = search_;
  if (has_changed) before_.phases = phases_;
}

void CoreCoverage::sample_reset() {
  const SearchView search = probe_.search();
  coverage_.hit(reset_in_state_[static_cast<std::size_t>(search.state)]);
  coverage_.hit_if(reset_in_second_walk_, search.state == SearchState::kWalk && search.is_second);
}

}  // namespace tessera::testbench
