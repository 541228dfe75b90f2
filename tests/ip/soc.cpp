// SPDX-License-Identifier: Apache-2.0
#include "tests/ip/soc.h"

#include "rtl_model/policy/policy_register.h"
#include "tests/rtl_model/machine.h"

namespace tessera::ip {
namespace {

constexpr Cycle kLongest = 3'000'000;  // cycles until the host has to be done

// Latencies and arbitration of an episode of the lockstep bench.
testbench::Profile any_sms(std::uint64_t seed) {
  const rtl_model::Params params(rtl_model::test::machine(Soc::kSizes.num_sms, Soc::kSizes.num_contexts));
  testbench::Profile profile = testbench::draw_profile(params, 1, seed);
  profile.sms.quantum = 1;
  return profile;
}

std::vector<std::uint64_t> page_tables() {
  std::vector<std::uint64_t> tables;
  for (unsigned context = 0; context < Soc::kSizes.num_contexts; ++context) tables.push_back(Soc::page_table(context));
  return tables;
}

}  // namespace

Soc::Soc(std::uint64_t seed, bool has_timers)
    : master(seed),
      ledger(kSizes.num_sms, page_tables()),
      random_(seed),
      sms_(any_sms(seed), random_.next()),
      ip_(make_ip(kSizes)),
      has_timers_(has_timers) {
  in_.strap_breadth_first = random_.one_in(2);
  ip_->reset(in_);
}

void Soc::cycle() {
  const IpOutputs out = ip_->outputs();
  in_.axi = master.drive();
  sms_.drive(now_, in_.core);
  drive_timers(out.core);
  ledger.cycle(in_.core, out.core);
  turns.cycle(out.core);
  count_usage(out.core.usage);
  sms_.settle(now_, in_.core, out.core);
  ip_->cycle(in_);
  master.settle(in_.axi, out.axi);
  ++now_;
}

void Soc::count_usage(const rtl_model::UsagePins& pins) {
  if (!pins.valid) return;
  constexpr std::int32_t kSign = 1 << num_bits(kSizes.num_sms);
  usage.freed(ContextId(pins.context), (pins.freed ^ kSign) - kSign, now_);
}

void Soc::drive_timers(const rtl_model::SchedulerOutputs& out) {
  if (out.linger_start) linger_ends_at_ = now_ + random_.in(50, kLongestLinger);
  in_.core.linger_over = now_ == linger_ends_at_;
  if (!has_timers_) return;
  if (!out.slice_timer_enable) tick_at_ = kNever;
  if (out.slice_timer_enable && tick_at_ == kNever) tick_at_ = now_ + random_.in(50, 500);
  in_.core.slice_tick = now_ == tick_at_;
  if (in_.core.slice_tick) tick_at_ = now_ + random_.in(50, 500);
  in_.core.switch_over = now_ == switch_ends_at_;
  if (out.switch_start) switch_ends_at_ = now_ + random_.in(1, 200);
}

std::string Soc::violation() const {
  if (!master.violation().empty()) return master.violation();
  if (!ledger.violation().empty()) return ledger.violation();
  if (!turns.violation().empty()) return turns.violation();
  if (!ip_->outputs().messages.empty()) return ip_->outputs().messages;
  return now_ > kLongest ? "all kernels end" : "";
}

}  // namespace tessera::ip
