// SPDX-License-Identifier: Apache-2.0
// A cycle of the surroundings.
#include "tests/scheduler/traffic.h"

#include <algorithm>
#include <array>

#include "rtl_model/policy/policy_table.h"
#include "tests/scheduler/compare.h"

namespace tessera::rtl_model::test {

namespace {

constexpr std::uint64_t kReservedPolicy =
    kPolicyCodeMask;  // a write of it keeps the policy, and takes the other fields

constexpr Range kQuick{0, 3};  // of a link that is not slow

// Kernels without tokens may wait for ever: of the policy that has budgets, and of no other.
bool refuses_debt(const PolicyRegister& policy) {
  const bool is_strict = policy.debt == Debt::kLone || policy.debt == Debt::kNever;
  return is_strict && kPolicyTable[policy.code].has(kBudgets);
}

}  // namespace

std::uint32_t random_policy(Random& random, std::uint32_t policies) {
  std::uint32_t code = random.in32(0, spec::kNumPolicyCodes - 1);
  while ((policies >> code & 1) == 0) code = random.in32(0, spec::kNumPolicyCodes - 1);
  return code | random.in32(0, 2) << kTechniqueShift | random.in32(0, 127) << 7;
}

// ---- shapes --------------------------------------------------------------------------------------------------

CoreParams random_params(Random& random) {
  CoreParams params;
  params.num_sms = random.in32(1, 8);
  params.max_tbs_per_sm = random.in32(1, 4);
  params.num_ksrs = random.one_in(8) ? 1 : random.in32(2, 8);
  params.num_command_buffers = random.in32(1, 4);
  params.num_contexts = random.one_in(8) ? 1 : random.in32(2, 5);
  const std::uint32_t all_slots = params.num_sms * params.max_tbs_per_sm;
  params.ptbq_depth = random.one_in(2) ? all_slots : random.in32(params.max_tbs_per_sm, all_slots);
  params.tb_width = random.of(std::array{8U, 10U, 20U, 32U});
  params.search_width = random.of(std::array{1U, 2U, 4U});
  const std::uint32_t all = spec::policy_mask(spec::Cores::kClocked);
  if (random.one_in(3)) params.policies = random.in32(1, all) & all;
  if (params.policies == 0) params.policies = all;
  params.policy = random_policy(random, params.policies);
  params.activation_cycles = random.of(std::array{1U, 5U, 16U, 40U});
  params.search_step_cycles = random.of(std::array{1U, 1U, 2U, 3U});
  params.is_breadth_first = random.one_in(2);
  params.issues_in_rounds = params.is_breadth_first && random.one_in(2);
  params.lingers = random.one_in(2);
  return params;
}

// Most of them keep the SMs busy, not the engine: it issues a thread block in about eight cycles.
TrafficProfile TrafficProfile::random(Random& random, std::uint64_t seed, const CoreParams& params) {
  const std::uint64_t slots = std::uint64_t{params.num_sms} * params.max_tbs_per_sm;
  const auto upto = [&random](std::uint64_t first, std::uint64_t last) { return Range{first, random.in(first, last)}; };
  TrafficProfile profile;
  profile.seed = seed;
  profile.clock_ratio = random.of(std::array{1U, 1U, 2U, 3U, 8U, 32U});
  profile.num_tbs = random.one_in(6) ? Range{1, 300} : Range{1, slots * random.of(std::array{1U, 2U, 4U})};
  profile.launches = random.of(std::array{20U, 100U, 1000U});
  const auto writes = [&random] { return random.of(std::array{0U, 0U, 2U, 8U}); };
  profile.policy_writes = writes();
  profile.priority_writes = random.of(std::array{0U, 2U, 10U, 30U});
  profile.tokens_writes = writes();
  profile.page_table_writes = writes();
  profile.partition_writes = writes();
  profile.num_partitions = random.in32(1, params.num_sms);
  profile.ticks = random.of(std::array{0U, 2U, 4U});
  profile.linger = upto(1, 600);
  profile.stalls = random.of(std::array{0U, 20U, 200U});
  profile.sm = {upto(1, 40), {1, slots * random.of(std::array{4U, 16U, 40U})}, upto(1, 30), upto(0, 30), upto(1, 60)};
  return profile;
}

void add_links(Random& random, CoreParams& params, TrafficProfile& profile) {
  const auto delays = [&random] {
    const std::uint64_t least = random.of(std::array{0U, 0U, 3U, 30U});
    return Range{least, least + random.of(std::array{0U, 10U, 200U, 1000U})};
  };
  params.tag_width = random.of(std::array{1U, 1U, 2U, 3U});
  profile.has_links = true;
  profile.up = delays();
  profile.down = delays();
}

void add_lane(Random& random, CoreParams& params, TrafficProfile& profile) {
  params.has_refill_lane = true;
  params.tag_width = random.of(std::array{1U, 1U, 2U, 3U});
  if (random.one_in(4)) add_kept_turn(random, params);
  const std::uint64_t carry = std::uint64_t{1} << params.lane_count_width();
  const bool carries = random.one_in(6);
  if (carries) profile.num_tbs = {carry - 8, carry + 8};
  // So many thread blocks do not end one by one through slow links.
  if (!carries && random.one_in(3)) add_links(random, params, profile);
  // Thread blocks that keep it busy.
  const std::uint64_t slots = std::uint64_t{params.num_sms} * params.max_tbs_per_sm;
  if (carries || random.one_in(4)) profile.sm.duration = {1, slots};
}

Traffic::Traffic(const CoreParams& params, const TrafficProfile& profile)
    : params_(params),
      profile_(profile),
      random_(profile.seed),
      ledger_(params.num_command_buffers),
      due_base_(static_cast<std::uint32_t>(random_.next())),
      policy_(PolicyRegister::of(params.policy)),
      page_tables_(params.num_contexts),
      partitions_(params.num_sms, 0) {
  for (std::uint32_t i = 0; i < params.num_sms; ++i) {
    sms_.emplace_back(ledger_, profile_.sm, random_, params.max_tbs_per_sm);
  }
  links_.resize(params.num_sms);
  for (SmLinks& links : links_) links.is_slow = profile_.has_links && random_.one_in(2);
  set_ups_.resize(params.num_sms);
  if (params.has_kept_turn) turn_.emplace(params.num_contexts, profile_.turn, random_);
}

// ---- a cycle -------------------------------------------------------------------------------------------------

SchedulerInputs Traffic::drive(const SchedulerOutputs& out) {
  if (random_.one_in(is_busy_phase_ ? 2000 : 300)) is_busy_phase_ = !is_busy_phase_;
  check(out);
  // 1. Inputs.
  SchedulerInputs in;
  in.sm_tick = (now_ + 1) % profile_.clock_ratio == 0;
  launch(out, in);
  write_control(out, in);
  in.slice_tick = !is_calm_ && random_.chance(profile_.ticks);
  if (out.linger_start) linger_ends_at_ = now_ + random_.in(profile_.linger);
  in.linger_over = now_ == linger_ends_at_ || (!is_calm_ && random_.chance(profile_.ticks));  // or a stray one
  if (turn_) turn_->drive(out, now_, is_calm_, in);
  show_event(out, in);
  show_handle(in);
  if (profile_.has_links) take_into_links();
  // 2. What the core sends.
  obey(out);
  // 3. The edge.
  for (SmModel& sm : sms_) sm.clock_edge();
  at_rest_.reset();
  if (out.idle && !in.any()) at_rest_ = out;
  ++now_;
  return in;
}

// ---- outputs -------------------------------------------------------------------------------------------------

void Traffic::check(const SchedulerOutputs& out) {
  if (at_rest_) {
    const std::string changes = compare(*at_rest_, out, params_.num_command_buffers);
    expect(changes.empty(), "idle, and yet pins change: " + changes);
  }
  const EventPins& events = out.events;
  if (events.activated) {
    ledger_.activated(events.buffer, events.ksr);
    last_progress_ = now_;
  }
  for (std::uint32_t i = 0; i < params_.num_command_buffers; ++i) {
    expect(out.buffer_free.has(i) == ledger_.is_free(i), "buffer_free is not what the commands say");
  }
  if (out.kernel_done.valid) {
    ledger_.done(out.kernel_done.descriptor);
    last_progress_ = now_;
  }
  const bool are_both = out.sm_control.valid && out.dispatch.valid;
  const bool may_be_both = params_.has_refill_lane && out.sm_control.sm != out.dispatch.sm;
  expect(!are_both || may_be_both, "a command and a dispatch in one cycle");
  const bool is_taken_beside = out.sm_event_ready && out.sm_control.valid;
  expect(!is_taken_beside || params_.has_refill_lane, "an event is taken beside a command");
  expect(!events.moved || (events.sm < params_.num_sms && events.ksr < params_.num_ksrs), "a move of nothing");
  check_batch(out);
  check_idle(out);
}

// From the first handle of a batch to its last, one a cycle.
void Traffic::check_batch(const SchedulerOutputs& out) {
  const bool is_handle = out.dispatch.valid && out.dispatch.is_restore;
  if (batch_sm_ != kNone) expect(is_handle && out.dispatch.sm == batch_sm_, "a batch of handles has a gap");
  batch_sm_ = is_handle && !out.dispatch.last ? out.dispatch.sm : kNone;
}

void Traffic::check_idle(const SchedulerOutputs& out) {
  const bool shows = out.sm_control.valid || out.dispatch.valid || out.kernel_done.valid || out.events.any();
  expect(!out.idle || !shows, "idle, and yet a pin is valid");
  if (!ledger_.has_kernels()) last_progress_ = now_;
  expect(now_ - last_progress_ < kMaxCyclesWithoutProgress, "no progress");
  expect(!has_only_waits(out) || refuses_debt(policy_) || has_kernels_without_sms(),
         "nothing will ever happen, but kernels wait");
}

bool Traffic::has_only_waits(const SchedulerOutputs& out) const {
  const bool lingers = linger_ends_at_ >= now_;  // someone may wait for the timer
  if (turn_ && !turn_->is_at_rest(now_)) return false;
  if (!out.idle || !ledger_.has_kernels() || at_rest_ == std::nullopt || lingers) return false;
  const auto is_empty = [](const SmLinks& links) { return links.up.is_empty() && links.down.is_empty(); };
  return std::all_of(sms_.begin(), sms_.end(), [](const SmModel& sm) { return sm.is_at_rest(); }) &&
         std::all_of(links_.begin(), links_.end(), is_empty);
}

void Traffic::obey(const SchedulerOutputs& out) {
  const auto send = [this](std::uint32_t sm, const ToSm& message) {
    if (!profile_.has_links) return deliver(sm, message);
    links_[sm].down.push(now_, random_.in(links_[sm].is_slow ? profile_.down : kQuick), message);
  };
  if (out.sm_control.valid) {
    expect(out.sm_control.sm < params_.num_sms, "a command for an SM that is not there");
    if (out.sm_control.kind == SmControlKind::kSetup) check_set_up(out.sm_control);
    send(out.sm_control.sm, {out.sm_control, {}});
  }
  if (out.dispatch.valid) {
    expect(out.dispatch.sm < params_.num_sms, "a thread block for an SM that is not there");
    check_order(out.dispatch);
    send(out.dispatch.sm, {{}, out.dispatch});
  }
  for (std::uint32_t sm = 0; profile_.has_links && sm < params_.num_sms; ++sm) {
    const ToSm* arrived = links_[sm].down.front(now_);
    if (arrived == nullptr) continue;
    deliver(sm, *arrived);
    links_[sm].down.pop();
  }
}

void Traffic::check_set_up(const SmControlPins& pins) {
  const Kernel& kernel = ledger_.kernel(pins.descriptor);
  expect(kernel.is_active, "a set-up for a kernel that is not active");
  expect(kernel.command.context == pins.context, "a set-up with another context");
  check_page_table(pins);
  const std::uint32_t next_tag = params_.tag_width == 0 ? 0 : (set_ups_[pins.sm].tag + 1) % params_.max_unanswered();
  expect(pins.tag == next_tag, "a set-up without the next tag");
  set_ups_[pins.sm] = pins;
}

void Traffic::check_order(const DispatchPins& pins) {
  if (pins.is_restore) return;
  std::uint32_t& next_tb = ledger_.kernel(set_ups_[pins.sm].descriptor).next_tb;
  expect(pins.tb == next_tb++, "fresh thread blocks out of order");
}

void Traffic::deliver(std::uint32_t sm, const ToSm& message) {
  if (message.dispatch.valid) return sms_[sm].dispatch(message.dispatch);
  if (message.control.kind == SmControlKind::kSetup) return sms_[sm].set_up(message.control);
  sms_[sm].stop(message.control.kind);
}

// A write that is taken in `t` holds for set-ups whose CALC, two cycles before the pins, is later than `t`.
void Traffic::check_page_table(const SmControlPins& pins) const {
  expect(pins.context < params_.num_contexts, "a set-up with a context that is not there");
  const std::vector<PageTableWrite>& writes = page_tables_[pins.context];
  const auto holds = std::find_if(writes.rbegin(), writes.rend(), [this](const PageTableWrite& write) {
    return write.value == 0 || write.taken_in + 2 < now_;
  });
  expect(holds != writes.rend() && pins.page_table == holds->value, "a set-up with another page table");
}

// ---- inputs --------------------------------------------------------------------------------------------------

void Traffic::launch(const SchedulerOutputs& out, SchedulerInputs& in) {
  if (is_calm_ || !is_busy_phase_ || !random_.chance(profile_.launches)) return;
  const std::uint32_t buffer = random_.in32(0, params_.num_command_buffers - 1);
  if (!out.buffer_free.has(buffer)) return;
  const std::uint32_t context = random_.in32(0, params_.num_contexts - 1);
  if (page_tables_[context].empty()) return;
  CommandPins& command = in.command;
  command.valid = true;
  command.buffer = buffer;
  command.context = context;
  command.priority = random_.in32(0, random_.one_in(2) ? 3 : 15);
  command.num_tbs = std::min(static_cast<std::uint32_t>(random_.in(profile_.num_tbs)),
                             static_cast<std::uint32_t>((std::uint64_t{1} << params_.tb_width) - 1));
  command.tbs_per_sm = random_.in32(1, params_.max_tbs_per_sm);
  command.descriptor = next_descriptor_++;
  command.has_due = !random_.one_in(4);
  // Time goes on; what is due at once lies within half of the numbers.
  command.partition = random_.in32(0, profile_.num_partitions - 1);
  command.due = due_base_ + static_cast<std::uint32_t>(now_ << 10) + (random_.in32(0, 15) << 24);
  ledger_.launch(command);
}

// Held until it is taken.
void Traffic::write_control(const SchedulerOutputs& out, SchedulerInputs& in) {
  if (!control_ && refuses_debt(policy_) && has_only_waits(out)) {
    control_ = ControlPins{true, ControlRegister::kPolicy, 0, kReservedPolicy};
  } else if (!control_ && has_kernels_without_sms() && has_only_waits(out)) {
    control_ = random_partition_write();
  } else if (!control_ && !is_calm_) {
    const ControlPins write = random_write();
    if (write.valid) control_ = write;
  }
  if (!control_) return;
  in.control = *control_;
  if (!out.control_ready) return;
  if (control_->reg == ControlRegister::kPageTable) {
    page_tables_[control_->context].push_back({now_, control_->data});
  }
  if (control_->reg == ControlRegister::kPolicy) {
    PolicyRegister written = PolicyRegister::of(control_->data);
    if ((params_.policies >> written.code & 1) == 0) written.code = policy_.code;
    if (!written.has_technique()) written.technique = policy_.technique;
    policy_ = written;
  }
  if (control_->reg == ControlRegister::kPartition) partitions_[control_->data >> 8] = control_->data & 0xFF;
  control_.reset();
}

ControlPins Traffic::random_write() {
  const auto without = std::find_if(page_tables_.begin(), page_tables_.end(), [](const auto& w) { return w.empty(); });
  if (without != page_tables_.end()) {
    return {true, ControlRegister::kPageTable, static_cast<std::uint32_t>(without - page_tables_.begin()),
            random_.next()};
  }
  const std::uint32_t context = random_.in32(0, params_.num_contexts - 1);
  if (random_.chance(profile_.policy_writes)) return {true, ControlRegister::kPolicy, context, random_policy_data()};
  if (turn_) {
    if (const ControlPins write = turn_->random_write(); write.valid) return write;
  }
  if (random_.chance(profile_.priority_writes)) {
    return {true, ControlRegister::kPriority, context, random_.in(0, 15)};
  }
  if (random_.chance(profile_.tokens_writes)) {
    return {true, ControlRegister::kTokens, context, random_.one_in(8) ? random_.in(0, 511) : random_.in(0, 8)};
  }
  if (random_.chance(profile_.page_table_writes)) {
    return {true, ControlRegister::kPageTable, context, random_.next()};
  }
  if (random_.chance(profile_.partition_writes)) return random_partition_write();
  return {};
}

std::uint64_t Traffic::random_policy_data() {
  std::uint64_t written = random_policy(random_, params_.policies);
  // Codes that are reserved keep the policy and the technique; the other fields count.
  if (random_.one_in(8)) written |= kPolicyCodeMask;
  if (random_.one_in(8)) written |= std::uint64_t{kTechniqueCodeMask} << kTechniqueShift;
  return turn_ ? written | turn_->random_fields() : written;
}

ControlPins Traffic::random_partition_write() {
  const std::uint32_t sm = random_.in32(0, params_.num_sms - 1);
  return {true, ControlRegister::kPartition, 0, sm_partition_data(sm, random_.in32(0, profile_.num_partitions - 1))};
}

// Those that are active: they wait for an SM to be given to their partition.
bool Traffic::has_kernels_without_sms() const {
  if (!kPolicyTable[policy_.code].has(kPartitions)) return false;
  return ledger_.all_active([this](const CommandPins& command) {
    return std::find(partitions_.begin(), partitions_.end(), command.partition) == partitions_.end();
  });
}

// ---- what SMs say --------------------------------------------------------------------------------------------

FromSm Traffic::event_of(std::uint32_t sm) const {
  const std::optional<SmEventKind> kind = sms_[sm].event();
  if (!kind) return {};
  const std::uint32_t tag = *kind == SmEventKind::kSetupDone ? sms_[sm].tag() : 0;
  return {{true, sm, *kind, tag}, {}, false};
}

FromSm Traffic::handle_of(std::uint32_t sm) const {
  FromSm message;
  if (const std::optional<HandlePins> handle = sms_[sm].handle()) message.handle = *handle;
  message.handle.sm = sm;
  message.is_last = sms_[sm].is_last_handle();
  return message;
}

std::optional<FromSm> Traffic::shown_event(std::uint32_t sm) const {
  if (!profile_.has_links) return sms_[sm].event() ? std::optional(event_of(sm)) : std::nullopt;
  const FromSm* first = links_[sm].up.front(now_);
  return first != nullptr && first->event.valid ? std::optional(*first) : std::nullopt;
}

std::optional<FromSm> Traffic::shown_handle(std::uint32_t sm) const {
  if (!profile_.has_links) return sms_[sm].handle() ? std::optional(handle_of(sm)) : std::nullopt;
  const FromSm* first = links_[sm].up.front(now_);
  return first != nullptr && first->handle.valid ? std::optional(*first) : std::nullopt;
}

void Traffic::taken(std::uint32_t sm, const FromSm& message) {
  if (profile_.has_links) return links_[sm].up.pop();
  message.event.valid ? sms_[sm].event_taken(message.event.kind) : sms_[sm].handle_taken();
}

// One message a cycle; it is not withdrawn any more.
void Traffic::take_into_links() {
  for (std::uint32_t sm = 0; sm < params_.num_sms; ++sm) {
    FromSm message = event_of(sm);
    if (!message.event.valid) message = handle_of(sm);
    if (!message.event.valid && !message.handle.valid) continue;
    message.event.valid ? sms_[sm].event_taken(message.event.kind) : sms_[sm].handle_taken();
    links_[sm].up.push(now_, random_.in(links_[sm].is_slow ? profile_.up : kQuick), message);
  }
}

// One of those that have something to say; it may be another in every cycle until one is taken.
void Traffic::show_event(const SchedulerOutputs& out, SchedulerInputs& in) {
  const bool is_gone = event_sm_ == kNone || !shown_event(event_sm_);
  if (is_gone || random_.chance(profile_.swaps)) {
    event_sm_ = kNone;
    const std::uint32_t first = random_.in32(0, params_.num_sms - 1);
    for (std::uint32_t i = 0; i < params_.num_sms && event_sm_ == kNone; ++i) {
      const std::uint32_t sm = (first + i) % params_.num_sms;
      if (shown_event(sm)) event_sm_ = sm;
    }
    if (random_.chance(profile_.stalls)) event_sm_ = kNone;
  }
  if (event_sm_ == kNone) return;
  const FromSm message = *shown_event(event_sm_);
  in.sm_event = message.event;
  if (!out.sm_event_ready) return;
  taken(event_sm_, message);
  if (message.event.kind == SmEventKind::kTbDone) last_progress_ = now_;
  event_sm_ = kNone;
}

// Handles of one SM's save are not interrupted by those of another.
void Traffic::show_handle(SchedulerInputs& in) {
  for (std::uint32_t sm = 0; sm < params_.num_sms && handle_sm_ == kNone; ++sm) {
    if (shown_handle(sm)) handle_sm_ = sm;
  }
  if (handle_sm_ == kNone || !shown_handle(handle_sm_) || random_.chance(profile_.stalls)) return;
  const FromSm message = *shown_handle(handle_sm_);
  in.handle = message.handle;
  taken(handle_sm_, message);
  if (!message.is_last) return;
  handle_sm_ = kNone;
  ++num_saves_;
}

}  // namespace tessera::rtl_model::test
