// SPDX-License-Identifier: Apache-2.0
#include "testbench/agents/host_agent.h"

#include <algorithm>
#include <numeric>

#include "model/spec/core_cycles.h"
#include "rtl_model/policy/policy_register.h"
#include "rtl_model/scheduler/scheduler_module.h"

namespace tessera::testbench {

using rtl_model::ControlRegister;
using rtl_model::kNone;

namespace {

constexpr Range kStrayTickGap = {0, 400};
constexpr std::uint32_t kReservedIsOneIn = 8;  // of codes that are written
constexpr unsigned kLateTickPermille = 100;
constexpr Cycle kLastSlices = 100'000;                // in which kernels end, even if they are flushed
constexpr unsigned kTokenBits = 9;                    // of a budget
constexpr std::uint32_t kDuesThatWrap = 0xF800'0000;  // some of the dues are beyond 2^32
constexpr std::uint64_t kMostCarries = 4;             // of a kernel's counters
constexpr std::uint64_t kNearCarry = 3;               // TBs from a multiple
constexpr std::uint32_t kBelowLimit = 8;              // TBs, where numbers end
constexpr Cycle kLastPhase = 8;                       // of the job that takes a TB done: its WRITE
constexpr Cycle kFinishCycles = 16;                   // and all that follows a finish
constexpr std::uint64_t kOneOfManyPartitions = 200;   // launches and SMs, one may be in any

// From BEGIN to JUDGE (docs/hardware/timing.md 5).
Cycle walk_cycles(const rtl_model::Params& params) {
  const rtl_model::CoreParams core = params.core();
  return Cycle{core.search_steps()} * core.search_step_cycles + spec::kWalkBeyondSteps;
}

}  // namespace

HostAgent::HostAgent(const Profile& profile, std::uint64_t seed)
    : profile_(profile.host),
      params_(profile.params),
      walk_cycles_(walk_cycles(profile.params)),
      random_(seed),
      turn_(profile, ~seed),
      due_base_(seed % 2 == 0 ? static_cast<std::uint32_t>(seed) : kDuesThatWrap) {
  announced_ = profile.turn.announced;
  plan_command(0);
  next_write_at_ = random_.in(profile_.write_gap);
  if (profile_.has_stray_ticks) stray_tick_at_ = random_.in(kStrayTickGap);
}

void HostAgent::drive(Cycle now, const rtl_model::SchedulerOutputs& out, rtl_model::SchedulerInputs& in) {
  in.sm_tick = (now + 1) % params_.clock_ratio == 0;
  in.command.valid = in.control.valid = in.slice_tick = in.linger_over = false;
  if (profile_.joins_sms && in.sm_event.valid && in.handle.valid) {
    next_command_at_ = std::min(next_command_at_, now);
    next_write_at_ = std::min(next_write_at_, now);
  }
  in.linger_over = drive_linger_over(now, out);  // a kernel may wait for it
  drive_turn(now, out, in);
  if (!is_stopped_) drive_command(now, out, in.command);
  drive_control(now, out, in.control);  // one that waits is held
  // An owner may wait for KSRs that others have: then its slice has to end.
  if (!is_stopped_ || params_.has_kept_turn) in.slice_tick = drive_tick(now, out);
  if (is_stopped_) return;
  if (profile_.aim_permille != 0) aim(now, in, out);
}

Cycle HostAgent::next_activity(const rtl_model::SchedulerOutputs& out, const rtl_model::SchedulerInputs& in) const {
  const bool has_timer_changed = out.slice_timer_enable != (tick_at_ != kNever);
  if (is_stopped_) {
    const bool has_ticks = params_.has_kept_turn;
    if (write_.valid || (has_ticks && has_timer_changed)) return 0;
    return std::min({linger_over_at_, turn_.next_activity(in), has_ticks ? tick_at_ : kNever});
  }
  if (write_.valid || !has_booted()) return 0;
  Cycle next = std::min({next_write_at_, stray_tick_at_, linger_over_at_, turn_.next_activity(in)});
  const bool is_announced = in.waiting.has(next_context_) || !params_.has_kept_turn;
  if (!is_announced) next = std::min(next, announced_at());
  for (const Aim& aim : aims_) next = std::min(next, aim.at);
  if (out.buffer_free.any()) next = std::min(next, next_command_at_);
  // The timer starts, or stops, when it sees its enable change.
  if (has_timer_changed) return 0;
  return std::min(next, tick_at_);
}

// ---- commands ------------------------------------------------------------------------------------------------

void HostAgent::drive_command(Cycle now, const rtl_model::SchedulerOutputs& out, rtl_model::CommandPins& command) {
  if (now < next_command_at_ || !out.buffer_free.any() || !has_booted()) return;
  command.valid = true;
  command.buffer = any_free_buffer(out.buffer_free);
  command.context = params_.has_kept_turn ? next_context_ : random_.in32(0, profile_.num_contexts - 1);
  command.priority = random_.in32(0, profile_.num_priorities - 1);
  command.num_tbs = any_num_tbs();
  command.tbs_per_sm = random_.in32(1, profile_.max_tbs_per_sm);
  command.has_due = !random_.one_in(4);
  command.due = due_base_ + static_cast<std::uint32_t>(now >> 10) + (random_.in32(0, 15) << 24);
  command.partition = any_partition();
  // Each one different, in all of its bits.
  command.descriptor = ++num_commands_ * 0x9E'3779'B97FULL & ((1ULL << rtl_model::Params::kDescriptorWidth) - 1);
  plan_command(now + 1);
}

void HostAgent::plan_command(Cycle from) {
  next_command_at_ = from + random_.in(profile_.command_gap);
  if (!params_.has_kept_turn) return;
  next_context_ = random_.in32(0, profile_.num_contexts - 1);
  announced_for_ = random_.in(announced_);
}

// A launch that waits for its buffer is announced, too.
void HostAgent::drive_turn(Cycle now, const rtl_model::SchedulerOutputs& out, rtl_model::SchedulerInputs& in) {
  const bool is_announced = params_.has_kept_turn && has_booted() && announced_at() <= now;
  turn_.drive(now, out, is_announced ? rtl_model::SmSet::of(next_context_) : rtl_model::SmSet{}, in);
}

std::uint32_t HostAgent::any_num_tbs() {
  if (profile_.launches_endless && random_.one_in(8)) {
    // One bit alone must be seen, too.
    return random_.one_in(2) ? 1U << random_.in(0, params_.tb_width - 1) : random_.in32(1, params_.max_num_tbs());
  }
  if (profile_.nears_limit && !random_.one_in(4)) {
    const std::uint32_t most = params_.max_num_tbs();
    return most - std::min(most - 1, random_.in32(0, kBelowLimit));
  }
  if (profile_.carry_bits != 0 && !random_.one_in(4)) {
    const std::uint64_t multiple = random_.in(1, kMostCarries) << profile_.carry_bits;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(multiple - kNearCarry + random_.in(0, 2 * kNearCarry), params_.max_num_tbs()));
  }
  return static_cast<std::uint32_t>(random_.in(profile_.num_tbs));
}

std::uint32_t HostAgent::any_free_buffer(const rtl_model::SmSet& free) {
  return free.next_in_turn(random_.in32(0, params_.num_command_buffers - 1));
}

// ---- control writes ------------------------------------------------------------------------------------------

void HostAgent::drive_control(Cycle now, const rtl_model::SchedulerOutputs& out, rtl_model::ControlPins& control) {
  if (!write_.valid && !is_stopped_) draw_write(now, out);
  control = write_;
  if (out.control_ready) write_.valid = false;
}

void HostAgent::draw_write(Cycle now, const rtl_model::SchedulerOutputs& out) {
  if (!has_booted()) {
    write_ = num_page_tables_ < params_.num_contexts ? next_page_table() : next_sm_partition();
    return;
  }
  // The SMs have to wait: perhaps for a move, which a write drops.
  std::optional<Aim> aim = due_aim(now);
  if (!aim && !out.sm_event_ready && random_.chance(profile_.aim_permille)) aim.emplace();
  if (!aim && now < next_write_at_) return;
  write_ = aim && aim->write ? *aim->write : any_write();
  if (aim) return;
  if (burst_left_ == 0) burst_left_ = random_.in(profile_.write_burst);
  next_write_at_ = now + 1 + (--burst_left_ == 0 ? random_.in(profile_.write_gap) : 0);
}

// A page table is anything until it is written. SMs are dealt out to partitions.
bool HostAgent::has_booted() const {
  return num_page_tables_ == params_.num_contexts && num_partitioned_ == params_.num_sms;
}

rtl_model::ControlPins HostAgent::next_page_table() {
  return {true, ControlRegister::kPageTable, num_page_tables_++, random_.next()};
}

rtl_model::ControlPins HostAgent::next_sm_partition() {
  const std::uint32_t sm = num_partitioned_++;
  return {true, ControlRegister::kPartition, 0, rtl_model::sm_partition_data(sm, sm % profile_.num_partitions)};
}

std::uint32_t HostAgent::any_partition() {
  const bool is_in_use = !random_.one_in(kOneOfManyPartitions);
  return random_.in32(0, is_in_use ? profile_.num_partitions - 1 : (1U << params_.partition_width()) - 1);
}

// A command or an event that finds the search idle says when its activation, or its walk, will be over.
void HostAgent::aim(Cycle now, const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out) {
  if (!in.command.valid && !out.events.policy_invoked) return;
  if (!random_.chance(profile_.aim_permille)) return;
  const Cycle walk = walk_cycles_;
  Cycle target = now + (in.command.valid ? params_.activation_cycles : walk - 1);
  if (random_.one_in(4)) target += walk;  // the end of the second walk, or of the walk after an activation
  if (target > now) aims_.push_back({target, {}});
}

void HostAgent::see_finish(Cycle now, std::uint32_t context) {
  if (is_stopped_ || !random_.chance(profile_.finish_permille)) return;
  rtl_model::ControlPins write = any_write_of(random_.one_in(4) ? ControlRegister::kPolicy : ControlRegister::kTokens);
  write.context = context;
  aims_.push_back({now + random_.in(1, random_.one_in(2) ? kFinishCycles : kLastPhase), write});
}

// One that came while another write waited is missed, and is not waited for.
std::optional<HostAgent::Aim> HostAgent::due_aim(Cycle now) {
  const auto due = std::find_if(aims_.begin(), aims_.end(), [now](const Aim& aim) { return aim.at == now; });
  std::optional<Aim> found;
  if (due != aims_.end()) found = *due;
  aims_.erase(std::remove_if(aims_.begin(), aims_.end(), [now](const Aim& aim) { return aim.at <= now; }), aims_.end());
  return found;
}

rtl_model::ControlPins HostAgent::any_write() {
  const auto& weights = profile_.write_weights;
  std::uint64_t draw = random_.in(1, std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}));
  std::size_t chosen = 0;
  while (draw > weights[chosen]) draw -= weights[chosen++];
  return any_write_of(static_cast<ControlRegister>(chosen));
}

rtl_model::ControlPins HostAgent::any_write_of(ControlRegister reg) {
  rtl_model::ControlPins write{true, reg, 0, 0};
  write.context = random_.in32(0, params_.num_contexts - 1);
  switch (write.reg) {
    case ControlRegister::kPolicy:
      write.data = policy_data();
      break;
    case ControlRegister::kPriority:
      write.data = random_.in(0, profile_.num_priorities - 1);
      break;
    case ControlRegister::kTokens:
      write.data = any_tokens();
      break;
    case ControlRegister::kPageTable:
    case ControlRegister::kSliceEnd:
      write.data = random_.next();
      break;
    case ControlRegister::kPartition:
      write.data = rtl_model::sm_partition_data(random_.in32(0, params_.num_sms - 1), any_partition());
      break;
  }
  return write;
}

// Half of them so that those left, when some SMs are held, have one bit set.
std::uint64_t HostAgent::any_tokens() {
  if (random_.one_in(2)) return random_.in(0, profile_.max_tokens);
  const std::uint64_t bit = std::uint64_t{1} << (random_.one_in(2) ? kTokenBits - 1 : random_.in(0, kTokenBits - 1));
  return std::min<std::uint64_t>(bit + random_.in(0, params_.num_sms), profile_.max_tokens);
}

std::uint64_t HostAgent::policy_data() {
  rtl_model::PolicyRegister written = rtl_model::PolicyRegister::of(random_.next());
  const bool is_reserved = profile_.writes_reserved_codes && random_.one_in(kReservedIsOneIn);
  written.code = is_reserved ? random_.bit_of(0xFFFF & ~spec::policy_mask(spec::Cores::kClocked))
                             : random_.bit_of(profile_.policies);
  const bool is_technique = !profile_.writes_reserved_codes || !random_.one_in(kReservedIsOneIn);
  if (is_technique) written.technique = random_.in32(0, 2);
  return written.data() | (random_.next() & ~std::uint64_t{0xFFFF});
}

// ---- ticks ---------------------------------------------------------------------------------------------------

bool HostAgent::drive_tick(Cycle now, const rtl_model::SchedulerOutputs& out) {
  const bool is_stray = stray_tick_at_ <= now && !is_stopped_;
  if (is_stray) stray_tick_at_ = now + 1 + random_.in(kStrayTickGap);
  // A tick that is due when the timer is disabled has still to come, or not.
  const bool is_due = tick_at_ <= now && (out.slice_timer_enable || random_.chance(kLateTickPermille));
  if (!out.slice_timer_enable) {
    tick_at_ = kNever;
  } else if (tick_at_ == kNever || is_due) {
    tick_at_ = now + 1 + (is_stopped_ ? kLastSlices : random_.in(profile_.tick_gap));
  }
  return is_due || is_stray;
}

// One that is due as the timer starts afresh may come all the same. Strays end with the episode: each invokes the
// policy.
bool HostAgent::drive_linger_over(Cycle now, const rtl_model::SchedulerOutputs& out) {
  const bool is_over = linger_over_at_ <= now;
  const bool is_followed_by_stray = is_over && profile_.has_stray_ticks && !is_stopped_;
  if (out.linger_start || is_followed_by_stray) {
    linger_over_at_ = now + random_.in(profile_.linger);
  } else if (is_over) {
    linger_over_at_ = kNever;
  }
  return is_over;
}

}  // namespace tessera::testbench
