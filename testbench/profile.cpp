// SPDX-License-Identifier: Apache-2.0
#include "testbench/profile.h"

#include <algorithm>

#include "rtl_model/policy/policy_register.h"
#include "rtl_model/policy/policy_table.h"

namespace tessera::testbench {
namespace {

constexpr unsigned kShortCarryBits = 8;  // a kernel of a few times 2^8 TBs ends within an episode
constexpr Cycle kCarryCycles = 5000;     // in which it does

// From always 1 to long, so that each kind of episode is as frequent as the others.
Range any_latency(Random& random) {
  static constexpr std::array<Range, 5> kLatencies = {{{1, 1}, {1, 3}, {1, 30}, {20, 60}, {1, 250}}};
  return random.of(kLatencies);
}

// Those with budgets have as many rules as all others together.
std::uint32_t with_budgets(std::uint32_t policies) {
  std::uint32_t found = 0;
  for (std::uint32_t code = 0; code < rtl_model::kPolicyTable.size(); ++code) {
    if (rtl_model::kPolicyTable[code].has(rtl_model::kBudgets)) found |= policies & 1U << code;
  }
  return found;
}

// Most of those with a turn keep it: that has as many rules as all the others.
void draw_turn(spec::SchedulerSpec& scheduler, std::uint32_t policies, Random& random) {
  const bool is_sliced = (policies & spec::policy_mask({spec::PolicyKind::kTimeSlice})) != 0;
  if (is_sliced && random.one_in(2)) scheduler.policy = spec::PolicyKind::kTimeSlice;
  if (!random.one_in(4)) scheduler.turn = spec::Turn::kKept;
  if (!random.one_in(3)) scheduler.switch_scope = spec::SwitchScope::kGpu;
}

spec::SchedulerSpec any_scheduler(std::uint32_t policies, Random& random) {
  spec::SchedulerSpec scheduler;
  const std::uint32_t budgeted = with_budgets(policies);
  const bool takes_budgeted = budgeted != 0 && random.one_in(4);
  scheduler.policy = spec::with_code(spec::kPolicies, random.bit_of(takes_budgeted ? budgeted : policies))->kind;
  scheduler.technique = static_cast<spec::TechniqueKind>(random.in(0, 2));
  scheduler.access = static_cast<spec::Access>(random.in(0, 1));
  scheduler.exclusive_scope = static_cast<spec::ExclusiveScope>(random.in(0, 1));
  scheduler.token_scope = static_cast<spec::TokenScope>(random.in(0, 1));
  if (random.one_in(2)) scheduler.debt = static_cast<spec::Debt>(random.in(0, 3));
  scheduler.remainder = static_cast<spec::Remainder>(random.in(0, 1));
  scheduler.order = static_cast<spec::PartitionOrder>(random.in(0, 1));
  return scheduler;
}

rtl_model::Params any_params(const rtl_model::Params& sizes, std::uint32_t policies, Random& random) {
  rtl_model::Params params = sizes;
  params.scheduler = any_scheduler(policies, random);
  if (params.has_kept_turn) draw_turn(params.scheduler, policies, random);
  params.activation_cycles = random.of(std::array<std::uint32_t, 6>{1, 2, 4, 4, 6, 9});
  params.search_step_cycles = random.of(std::array<std::uint32_t, 6>{1, 1, 1, 2, 3, 13});
  params.is_breadth_first = random.one_in(3);
  params.clock_ratio = random.of(std::array<std::uint32_t, 6>{1, 1, 1, 2, 4, 7});
  for (auto& budget : params.budgets) {
    budget.reset();
    if (random.one_in(6)) budget = random.in32(0, params.num_sms + 2);
  }
  return params;
}

// Kernels from one TB to more than the machine holds.
Range any_num_tbs(const rtl_model::Params& params, Random& random) {
  const std::uint64_t all_slots = std::uint64_t{params.num_sms} * params.max_tbs_per_sm;
  const std::array<Range, 5> sizes = {
      {{1, 1}, {1, 6}, {1, all_slots}, {all_slots / 2 + 1, 3 * all_slots + 1}, {1, 40}}};
  const Range range = random.of(sizes);
  const std::uint64_t most = params.max_num_tbs();
  return {std::min(range.first, most), std::min(range.last, most)};
}

// Where counters carry: out of the bits that are counted at once, out of the row that a refill keeps, out of 16 bits.
unsigned any_carry_bits(const rtl_model::Params& params, Random& random) {
  const unsigned bits = random.of(std::array<unsigned, 4>{8, 8, 12, 16});
  return random.one_in(4) && bits + 1 < params.tb_width ? bits : 0;
}

HostProfile any_host(const rtl_model::Params& params, std::uint32_t policies, Random& random) {
  static constexpr std::array<Range, 5> kCommandGaps = {{{0, 0}, {0, 8}, {0, 100}, {0, 400}, {100, 1500}}};
  static constexpr std::array<Range, 6> kWriteGaps = {
      {{0, 4}, {0, 60}, {0, 300}, {100, 1000}, {500, 5000}, {kNever / 2, kNever / 2}}};
  static constexpr std::array<Range, 4> kTickGaps = {{{0, 5}, {1, 60}, {100, 400}, {200, 3000}}};
  HostProfile host;
  host.command_gap = random.of(kCommandGaps);
  host.num_contexts = random.in32(1, random.one_in(2) ? params.num_contexts : std::min(params.num_contexts, 3U));
  host.max_tbs_per_sm = random.one_in(2) ? params.max_tbs_per_sm : random.in32(1, params.max_tbs_per_sm);
  host.num_tbs = any_num_tbs(params, random);
  host.launches_endless = random.one_in(12);
  host.carry_bits = any_carry_bits(params, random);
  host.starts_late = host.carry_bits > kShortCarryBits || (host.carry_bits != 0 && random.one_in(2));
  host.num_priorities = random.of(std::array<std::uint32_t, 4>{1, 2, 4, 16});
  host.write_gap = random.of(kWriteGaps);
  host.write_burst = random.one_in(4) ? Range{1, 20} : Range{1, 1};
  const unsigned slice_end_weight = params.has_kept_turn ? 2 : 0;
  host.write_weights = {1, 1, 1, 1, 1, slice_end_weight};
  // So that a policy lasts, and partitions do.
  if (random.one_in(2)) host.write_weights = {0, 1, 1, 1, 0, slice_end_weight};
  if (random.one_in(3)) host.write_weights[random.in(0, 4)] = 8;
  host.writes_reserved_codes = random.one_in(2);
  host.policies = host.writes_reserved_codes ? policies : spec::policy_mask({params.scheduler.policy});
  host.num_partitions = random.in32(1, random.one_in(4) ? params.num_sms : std::min(params.num_sms, 4U));
  host.max_tokens = random.one_in(2) ? 511 : params.num_sms + 2;
  host.aim_permille = random.of(std::array<unsigned, 4>{0, 0, 30, 300});
  host.finish_permille = random.of(std::array<unsigned, 4>{0, 100, 400, 900});
  host.tick_gap = random.of(kTickGaps);
  host.has_stray_ticks = random.one_in(6);
  return host;
}

TurnProfile any_turn(Random& random) {
  static constexpr std::array<Range, 4> kAnnouncements = {{{0, 0}, {0, 3}, {0, 60}, {20, 400}}};
  static constexpr std::array<Range, 4> kWaits = {{{0, 0}, {0, 10}, {0, 100}, {50, 1000}}};
  static constexpr std::array<Range, 4> kGaps = {{{0, 60}, {0, 600}, {200, 3000}, {kNever / 2, kNever / 2}}};
  static constexpr std::array<Range, 4> kSwitches = {{{1, 1}, {1, 4}, {1, 60}, {40, 400}}};
  TurnProfile turn{};
  turn.announced = random.of(kAnnouncements);
  turn.waits = random.of(kWaits);
  turn.dry = random.of(kGaps);
  turn.listed = random.one_in(3) ? random.of(kGaps) : kGaps.back();
  turn.unlisted = random.of(kWaits);
  turn.switch_cycles = random.of(kSwitches);
  turn.has_stray_overs = random.one_in(6);
  turn.stray_is_one_in = random.of(std::array<std::uint64_t, 3>{2, 20, 200});
  return turn;
}

LinkProfile any_links(const rtl_model::Params& params, Random& random) {
  LinkProfile links;
  links.are_there = params.tag_width != 0 && !random.one_in(3);
  if (!links.are_there) return links;
  links.max_delay = random.of(std::array<Cycle, 5>{0, 1, 4, 20, 20});
  links.jitter = random.of(std::array<Cycle, 4>{0, 0, 2, 20});
  links.answers_superseded = random.one_in(2);
  return links;
}

SmProfile any_sms(const rtl_model::Params& params, Random& random) {
  static constexpr std::array<Range, 6> kDurations = {{{1, 1}, {1, 5}, {1, 60}, {30, 60}, {100, 600}, {1, 2500}}};
  SmProfile sms;
  sms.setup = any_latency(random);
  sms.duration = random.of(kDurations);
  sms.drain = any_latency(random);
  sms.save = any_latency(random);
  sms.handle_gap = random.one_in(3) ? Range{1, 4} : Range{1, 1};
  sms.restore = any_latency(random);
  sms.quantum = random.of(std::array<Cycle, 5>{1, 1, params.clock_ratio, 40, 300});
  sms.arbitration = static_cast<Arbitration>(random.in(0, 4));
  sms.held_back = random.one_in(3) ? random.in32(1, 14) : 0;
  sms.stall_permille = random.of(std::array<unsigned, 4>{0, 0, 100, 700});
  sms.holds_handle_port = random.one_in(3);
  sms.hurry_permille = random.of(std::array<unsigned, 3>{0, 100, 600});
  sms.links = any_links(params, random);
  return sms;
}

// Kernels of a few TBs come and end while SMs are still being set up for those before them: set-ups are superseded, and
// SMs have no tag left.
void supersede_set_ups(Profile& profile) {
  profile.sms.setup = {100, 250};
  profile.sms.duration = {1, 5};
  profile.host.num_tbs = {1, std::min<std::uint64_t>(6, profile.params.max_num_tbs())};
  profile.host.command_gap = {0, 30};
}

// Contexts that always have kernels take turns after some ten cycles: most of the time SMs change hands, also where a
// reset ends it.
void hurry_turns(Profile& profile, std::uint32_t policies, Random& random) {
  constexpr spec::PolicyKind kPolicy = spec::PolicyKind::kTimeSlice;
  if ((policies & spec::policy_mask({kPolicy})) == 0 || profile.params.num_contexts == 1) return;
  profile.params.scheduler.policy = kPolicy;
  profile.params.scheduler.turn = spec::Turn::kKept;
  profile.host.policies = spec::policy_mask({kPolicy});
  profile.host.writes_reserved_codes = false;
  profile.host.write_gap = {500, 5000};
  profile.host.command_gap = {0, 100};
  profile.host.num_contexts = profile.params.num_contexts;
  profile.host.tick_gap = {1, 60};
  profile.host.has_stray_ticks = random.one_in(2);
  profile.sms.setup = profile.sms.drain = profile.sms.save = profile.sms.restore = {1, 3};
  profile.sms.duration = random.one_in(2) ? Range{1, 60} : Range{100, 600};
  profile.turn.listed = {kNever / 2, kNever / 2};
  profile.turn.switch_cycles = {1, 4};
  profile.active_cycles = random.in(100, 2000);
}

// Kernels of several priorities come and go, and hold-offs end soon: one begins again while an assign of a lower
// priority is under way, and keeps all the SMs that it was to give.
void renew_hold_offs(Profile& profile, std::uint32_t policies, Random& random) {
  constexpr spec::PolicyKind kPolicy = spec::PolicyKind::kPpq;
  if ((policies & spec::policy_mask({kPolicy})) == 0) return;
  profile.params.scheduler.policy = kPolicy;
  profile.params.scheduler.access = spec::Access::kShared;
  profile.host.policies = spec::policy_mask({kPolicy});
  profile.host.writes_reserved_codes = false;
  profile.host.linger = {1, 60};
  profile.params.linger_cycles = profile.host.linger.last;
  profile.host.num_priorities = random.of(std::array<std::uint32_t, 3>{2, 4, 16});
  profile.host.num_tbs = {1, std::min<std::uint64_t>(12, profile.params.max_num_tbs())};
  profile.host.command_gap = {0, 100};
}

// Kernels of a few TBs that end at once: so many set-ups are due that a kernel finishes before the last of its own is
// sent. Where SMs change partitions such an SM may have been taken from it before.
void crowd_set_ups(Profile& profile, std::uint32_t policies, Random& random) {
  constexpr spec::PolicyKind kPartitions = spec::PolicyKind::kStaticPartition;
  profile.params.is_breadth_first = true;
  profile.params.clock_ratio = profile.params.search_step_cycles = 1;
  const std::uint64_t most = profile.params.max_num_tbs();
  profile.host.num_tbs = {std::min<std::uint64_t>(2, most), std::min<std::uint64_t>(20, most)};
  profile.host.max_tbs_per_sm = profile.params.max_tbs_per_sm;
  profile.host.command_gap = {0, 100};
  profile.sms.setup = profile.sms.drain = profile.sms.save = profile.sms.restore = {1, 3};
  profile.sms.duration = random.one_in(2) ? Range{1, 1} : Range{1, 5};
  profile.sms.quantum = 1;
  profile.sms.arbitration = Arbitration::kLowestFirst;
  profile.sms.stall_permille = profile.sms.held_back = 0;
  if (random.one_in(2) || (policies & spec::policy_mask({kPartitions})) == 0) return;
  profile.params.scheduler.policy = kPartitions;
  profile.params.scheduler.technique = spec::TechniqueKind::kDrain;
  profile.host.policies = spec::policy_mask({kPartitions});
  profile.host.writes_reserved_codes = false;
  profile.host.num_partitions = std::min(profile.params.num_sms, 2U);
  profile.host.write_gap = random.one_in(2) ? Range{0, 30} : Range{0, 300};
  profile.host.write_weights = {0, 0, 0, 0, 1, 0};
  profile.sms.links = {};
}

// Of a TB's number, that the lane counts (docs/hardware/timing.md 2).
unsigned lane_bits(const rtl_model::Params& params) {
  return std::min(params.tb_width, std::max(12U, params.slot_count_width()));
}

// Many TBs end and start: one SM's or all SMs', one by one or together, and long kernels whose counters come to where
// the lane does not count.
void draw_lane(Profile& profile, Random& random) {
  const rtl_model::Params& params = profile.params;
  if (random.one_in(2)) {
    static constexpr std::array<Range, 4> kDurations = {{{1, 1}, {1, 5}, {1, 60}, {30, 60}}};
    static constexpr std::array<Range, 3> kGaps = {{{0, 100}, {0, 400}, {100, 1500}}};
    const std::uint64_t all_slots = std::uint64_t{params.num_sms} * params.max_tbs_per_sm;
    const std::uint64_t most = params.max_num_tbs();
    profile.host.num_tbs = {std::min(2 * all_slots, most), std::min(60 * all_slots, most)};
    profile.host.command_gap = random.of(kGaps);
    profile.host.write_gap = random.one_in(2) ? Range{500, 5000} : Range{0, 300};
    profile.sms.duration = random.of(kDurations);
    profile.sms.stall_permille = 0;
    profile.sms.held_back = 0;
  }
  if (random.one_in(3)) {
    profile.host.nears_limit = true;
  } else if (const unsigned bits = lane_bits(params); random.one_in(3) && bits + 1 < params.tb_width) {
    profile.host.carry_bits = bits;
  } else {
    return;
  }
  profile.host.starts_late = !random.one_in(4);
  profile.active_cycles += kCarryCycles;
  profile.comes_to_rest = profile.comes_to_rest && params.tb_width <= kShortCarryBits;
}

}  // namespace

Profile draw_profile(const rtl_model::Params& sizes, std::uint32_t policies, std::uint64_t seed) {
  Random random(seed);
  const rtl_model::Params params = any_params(sizes, policies, random);
  Profile profile{params, any_host(params, policies, random), any_sms(params, random), {}, 0, false};
  static constexpr std::array<Range, 3> kLingers = {{{1, 3}, {1, 60}, {100, 3000}}};
  profile.host.linger = random.of(kLingers);
  profile.params.linger_cycles = random.one_in(3) ? 0 : profile.host.linger.last;  // the strap
  profile.active_cycles = random.in(1, random.of(std::array<std::uint64_t, 4>{200, 2000, 5000, 12'000}));
  if (profile.host.carry_bits != 0) profile.active_cycles += kCarryCycles;
  profile.comes_to_rest =
      !profile.host.launches_endless && profile.host.carry_bits <= kShortCarryBits && random.one_in(3);
  profile.host.joins_sms = random.one_in(6);
  if (profile.sms.links.are_there && random.one_in(4)) supersede_set_ups(profile);
  if (params.has_kept_turn) profile.turn = any_turn(random);
  if (params.has_kept_turn && random.one_in(2)) hurry_turns(profile, policies, random);
  if (params.has_refill_lane) draw_lane(profile, random);
  // Rare meetings, which need episodes of their own.
  if (random.one_in(12)) renew_hold_offs(profile, policies, random);
  if (params.has_refill_lane && random.one_in(4)) crowd_set_ups(profile, policies, random);
  return profile;
}

}  // namespace tessera::testbench
