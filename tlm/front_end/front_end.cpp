// SPDX-License-Identifier: Apache-2.0
// The register window. Commands, fences and interrupts stand in command_fetch.cpp and command_decode.cpp.
#include "tlm/front_end/front_end.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "model/spec/policies.h"
#include "model/spec/spec.h"
#include "tlm/base/memory_access.h"

namespace tessera::tlm_model {
namespace {

constexpr AccessRules kRegisterRules{reg::kSize, 8, 4, false, false};

std::uint64_t merge(std::uint64_t old, std::uint64_t value, std::uint64_t mask) {
  return (old & ~mask) | (value & mask);
}

// What a write of kPolicy asks for; none if it names no policy or technique. Reserved bits are ignored.
std::optional<spec::SchedulerSpec> decode_policy(std::uint64_t value, spec::SchedulerSpec scheduler) {
  using F = reg::PolicyFields;
  const auto field = [&](unsigned shift, std::uint64_t mask) { return value >> shift & mask; };
  const spec::PolicyInfo* policy = spec::with_code(spec::kPolicies, field(F::kPolicyShift, 0xFF));
  const spec::TechniqueInfo* technique = spec::with_code(spec::kTechniques, field(F::kTechniqueShift, 0xFF));
  if (policy == nullptr || technique == nullptr) return std::nullopt;
  scheduler.policy = policy->kind;
  scheduler.technique = technique->kind;
  scheduler.access = static_cast<spec::Access>(field(F::kAccessShift, 1));
  scheduler.exclusive_scope = static_cast<spec::ExclusiveScope>(field(F::kExclusiveScopeShift, 1));
  scheduler.token_scope = static_cast<spec::TokenScope>(field(F::kTokenScopeShift, 1));
  scheduler.debt = static_cast<spec::Debt>(field(F::kDebtShift, 3));
  scheduler.remainder = static_cast<spec::Remainder>(field(F::kRemainderShift, 1));
  scheduler.order = static_cast<spec::PartitionOrder>(field(F::kPartitionOrderShift, 1));
  scheduler.turn = static_cast<spec::Turn>(field(F::kTurnShift, 1));
  scheduler.switch_scope = static_cast<spec::SwitchScope>(field(F::kSwitchScopeShift, 1));
  return scheduler;
}

std::uint64_t encode_policy(const spec::SchedulerSpec& scheduler) {
  using F = reg::PolicyFields;
  const auto field = [](auto value, unsigned shift) { return static_cast<std::uint64_t>(value) << shift; };
  return field(spec::info(scheduler.policy).code, F::kPolicyShift) |
         field(spec::info(scheduler.technique).code, F::kTechniqueShift) | field(scheduler.access, F::kAccessShift) |
         field(scheduler.exclusive_scope, F::kExclusiveScopeShift) | field(scheduler.token_scope, F::kTokenScopeShift) |
         field(scheduler.debt, F::kDebtShift) | field(scheduler.remainder, F::kRemainderShift) |
         field(scheduler.order, F::kPartitionOrderShift) | field(scheduler.turn, F::kTurnShift) |
         field(scheduler.switch_scope, F::kSwitchScopeShift);
}

}  // namespace

FrontEnd::FrontEnd(const sc_core::sc_module_name& name, const spec::Spec& spec, CommandDispatcher& dispatcher,
                   ISchedulingFramework& framework, LinkTraffic* link)
    : sc_module(name),
      registers_tsock("registers_tsock"),
      system_memory_isock("system_memory_isock"),
      irq_o("irq_o"),
      spec_(spec),
      dispatcher_(dispatcher),
      framework_(framework),
      link_(link),
      time_(spec.gpu.clock_hz),
      pcie_(spec.gpu),
      queues_(spec.gpu.num_hardware_queues),
      contexts_(spec.processes.size()),
      sm_partition_(spec.gpu.num_sms),
      masks_(spec::has_masks(spec) ? spec.gpu.num_sms : 0),
      policy_(encode_policy(spec.scheduler)) {
  if (keeps_turn(spec.scheduler)) start_looking_ahead();
  registers_tsock.register_b_transport(this, &FrontEnd::b_transport);
  registers_tsock.register_transport_dbg(this, &FrontEnd::transport_dbg);
  registers_tsock.register_get_direct_mem_ptr(this, &FrontEnd::get_direct_mem_ptr);
  SC_HAS_PROCESS(FrontEnd);
  SC_THREAD(fetch);
  SC_THREAD(write_fences);
  SC_METHOD(drive_irq);
  sensitive << irq_event_;
  dont_initialize();
}

// When a message is on the link that is to be sent now.
Cycle FrontEnd::sent(LinkDirection direction, std::uint64_t bytes, Cycle now) const {
  return link_ == nullptr ? now : link_->send(direction, bytes, now);
}

// ---- register window -----------------------------------------------------------------------------------------

// A write is posted and arrives one link latency later; a read takes the round trip.
void FrontEnd::b_transport(::tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!accept_access(payload, kRegisterRules)) return;
  const Cycle called = time_.first_from(sc_core::sc_time_stamp() + delay);
  const Cycle arrives =
      payload.is_write() ? sent(LinkDirection::kToGpu, payload.get_data_length(), called) + pcie_.one_way() : called;
  std::uint64_t address = payload.get_address();
  std::uint8_t* data = payload.get_data_ptr();
  for (std::uint64_t left = payload.get_data_length(); left > 0;) {
    const std::uint64_t offset = address % 8;
    const std::uint64_t part = std::min<std::uint64_t>(left, 8 - offset);
    std::uint64_t value = 0;
    if (payload.is_write()) {
      std::memcpy(reinterpret_cast<std::uint8_t*>(&value) + offset, data, part);
      const std::uint64_t mask = (part == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << part * 8) - 1) << offset * 8;
      if (!write_register(address - offset, value, mask, arrives)) {
        payload.set_response_status(::tlm::TLM_GENERIC_ERROR_RESPONSE);
      }
    } else {
      value = read_part(address - offset, offset == 0);
      std::memcpy(data, reinterpret_cast<std::uint8_t*>(&value) + offset, part);
    }
    address += part;
    data += part;
    left -= part;
  }
  if (!payload.is_read()) return;
  // The request goes to the GPU, the value to the host.
  const Cycle asked = sent(LinkDirection::kToGpu, kRequestBytes, called) + pcie_.one_way();
  const Cycle answered = sent(LinkDirection::kToHost, payload.get_data_length(), asked) + pcie_.one_way();
  delay = time_.at(answered) - sc_core::sc_time_stamp();
}

// Debug reads see the registers as they are; debug writes would start commands, and are refused.
unsigned FrontEnd::transport_dbg(::tlm::tlm_generic_payload& payload) {
  const unsigned length = payload.is_read() ? debug_length(payload, kRegisterRules) : 0;
  for (unsigned i = 0; i < length; ++i) {
    const std::uint64_t address = payload.get_address() + i;
    payload.get_data_ptr()[i] = static_cast<std::uint8_t>(read_register(address - address % 8) >> address % 8 * 8);
  }
  return length;
}

bool FrontEnd::get_direct_mem_ptr(::tlm::tlm_generic_payload&, ::tlm::tlm_dmi& dmi) {
  deny_dmi(dmi, 0, std::numeric_limits<sc_dt::uint64>::max());
  return false;
}

// SM cycles are read in halves, the lower first, and both are of one moment.
std::uint64_t FrontEnd::read_part(std::uint64_t offset, bool has_lower) {
  const bool is_kept = is_sm_cycles(offset);
  if (is_kept && !has_lower) return sm_cycles_read_;
  const std::uint64_t value = read_register(offset);
  if (is_kept) sm_cycles_read_ = value;
  return value;
}

std::uint64_t FrontEnd::read_register(std::uint64_t offset) const {
  const auto word_in = [&](std::uint64_t base, std::uint64_t stride) { return (offset - base) % stride; };
  if (offset >= reg::kQueues && (offset - reg::kQueues) / reg::kQueueStride < queues_.size()) {
    const QueueId id{static_cast<std::uint16_t>((offset - reg::kQueues) / reg::kQueueStride)};
    const Queue& queue = queues_[index(id)];
    const std::array<std::uint64_t, 4> words = {queue.base, queue.entries, last_doorbell(id), queue.head};
    return words[word_in(reg::kQueues, reg::kQueueStride) / 8];
  }
  if (is_held(offset)) {
    const ContextId context{static_cast<std::uint16_t>((offset - reg::kHeld) / 8)};
    return (dispatcher_.is_held(context) ? 1 : 0) | (dispatcher_.is_at_work(context) ? reg::kHeldAtWork : 0);
  }
  if (is_sm_cycles(offset)) return framework_.sm_cycles(ContextId((offset - reg::kSmCycles) / 8), time_.now());
  if (const std::uint64_t* const partition = partition_register(offset); partition != nullptr) return *partition;
  if (const std::uint64_t* const turn = turn_register(offset); turn != nullptr) return *turn;
  if (is_mask(offset)) return mask_word(offset);
  if (offset >= reg::kContexts && (offset - reg::kContexts) / reg::kContextStride < contexts_.size()) {
    const ContextRegisters& context = contexts_[(offset - reg::kContexts) / reg::kContextStride];
    const std::array<std::uint64_t, 4> words = {context.priority, context.tokens, context.page_table, context.deadline};
    return words[word_in(reg::kContexts, reg::kContextStride) / 8];
  }
  if (offset >= reg::kCompletion && offset < reg::kCompletion + 8 * reg::kNumCompletion) {
    return completion_word((offset - reg::kCompletion) / 8);
  }
  switch (offset) {
    case reg::kId:
      return reg::kIdValue;
    case reg::kCapabilities:
      return spec_.gpu.num_sms | std::uint64_t{spec_.gpu.num_hardware_queues} << 16 |
             std::uint64_t{spec_.gpu.num_dma_engines} << 32 | std::uint64_t{contexts_.size()} << 40;
    case reg::kControl:
      return control_;
    case reg::kStatus:
      return (is_busy() ? 1U : 0U) | (error_ != 0 ? 2U : 0U);
    case reg::kInterruptStatus:
      return interrupt_status();
    case reg::kInterruptEnable:
      return interrupt_enable_;
    case reg::kError:
      return error_;
    case reg::kPolicy:
      return policy_;
    default:
      return 0;  // reserved
  }
}

bool FrontEnd::write_register(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival) {
  if (offset == reg::kPolicy) return write_policy(value, mask, arrival);
  if (is_held(offset)) {
    if ((mask & 1) != 0) dispatcher_.hold(ContextId((offset - reg::kHeld) / 8), (value & 1) != 0, arrival);
  } else if (partition_register(offset) != nullptr) {
    write_partition(offset, value, mask, arrival);
  } else if (turn_register(offset) != nullptr) {
    write_turn(offset, value, mask, arrival);
  } else if (is_mask(offset)) {
    write_mask(offset, value, mask, arrival);
  } else if (offset >= reg::kQueues) {
    write_queue(offset - reg::kQueues, value, mask, arrival);
  } else if (offset >= reg::kContexts) {
    write_context(offset - reg::kContexts, value, mask, arrival);
  } else {
    write_own(offset, value, mask, arrival);
  }
  return true;
}

void FrontEnd::write_own(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival) {
  if (offset >= reg::kCompletion && offset < reg::kCompletion + 8 * reg::kNumCompletion) {
    fold_completions();
    completion_[(offset - reg::kCompletion) / 8] &= ~(value & mask);
  } else if (offset == reg::kControl) {
    control_ = merge(control_, value, mask) & 1;
    request_fetch(arrival);
  } else if (offset == reg::kInterruptEnable) {
    interrupt_enable_ = merge(interrupt_enable_, value, mask) & (reg::kInterruptCompletion | reg::kInterruptError);
  } else if (offset == reg::kError) {
    error_ = 0;
  }
  irq_event_.notify(sc_core::SC_ZERO_TIME);
}

void FrontEnd::write_context(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival) {
  const std::uint64_t id = offset / reg::kContextStride;
  if (id >= contexts_.size()) return;
  ContextRegisters& context = contexts_[id];
  switch (offset % reg::kContextStride) {
    case reg::kPriority:
      context.priority = merge(context.priority, value, mask) & reg::kMaxPriority;
      return framework_.write(SetPriority{ContextId(id), static_cast<std::uint32_t>(context.priority)}, arrival);
    case reg::kTokens:
      context.has_tokens = true;
      context.tokens = merge(context.tokens, value, mask) & spec::kMaxTokens;
      return framework_.write(SetTokens{ContextId(id), static_cast<std::uint32_t>(context.tokens)}, arrival);
    case reg::kPageTable:
      context.page_table = merge(context.page_table, value, mask);
      return framework_.write(SetPageTable{ContextId(id), context.page_table}, arrival);
    case reg::kDeadline: {  // launches take it along
      constexpr std::uint64_t kWritable = (std::uint64_t{1} << reg::kDeadlineBits) - 1;
      context.deadline = merge(context.deadline, value, mask) & kWritable;
      return;
    }
    default:
      return;  // reserved
  }
}

void FrontEnd::write_queue(std::uint64_t offset, std::uint64_t value, std::uint64_t mask, Cycle arrival) {
  const std::uint64_t id = offset / reg::kQueueStride;
  if (id >= queues_.size()) return;
  Queue& queue = queues_[id];
  switch (offset % reg::kQueueStride) {
    case reg::kBase:
      queue.base = merge(queue.base, value, mask);
      return;
    case reg::kEntries:
      queue.entries = merge(queue.entries, value, mask);
      return empty_queue(QueueId(id));
    case reg::kDoorbell:
      doorbells_.push_back({arrival, QueueId(id), merge(last_doorbell(QueueId(id)), value, mask)});
      return request_fetch(arrival);
    default:
      return;  // read only
  }
}

// A value that names no policy or technique of the engine leaves everything as it is.
bool FrontEnd::write_policy(std::uint64_t value, std::uint64_t mask, Cycle arrival) {
  auto scheduler = decode_policy(merge(policy_, value, mask), spec_.scheduler);
  const auto chooses_victims = [](const spec::SchedulerSpec& s) { return spec::info(s.technique).chooses_victims; };
  if (!scheduler || !spec::exists(*scheduler, framework_.which_core()) ||
      chooses_victims(*scheduler) != chooses_victims(spec_.scheduler)) {
    report_error(reg::ErrorCode::kBadPolicy, QueueId{0});
    return false;
  }
  if (!has_partitions()) scheduler->order = spec::PartitionOrder::kEdf;
  const bool has_turn = !chooses_victims(spec_.scheduler);  // else kernels share SMs
  if (!has_turn) scheduler->turn = spec::Turn::kPassed;
  if (!has_turn || spec_.gpu.framework.channels == spec::Channels::kOne) {
    scheduler->switch_scope = spec::SwitchScope::kSm;
  }
  policy_ = encode_policy(*scheduler);
  if (keeps_turn(*scheduler)) start_looking_ahead();
  framework_.write(SetPolicy{*scheduler}, arrival);
  return true;
}

// Commands that were fetched are carried out; what was not, and doorbells on their way, are forgotten.
void FrontEnd::empty_queue(QueueId id) {
  dispatcher_.count_anew(id);
  Queue& queue = queues_[index(id)];
  queue.doorbell = 0;
  queue.head = 0;
  ++queue.resets;
  doorbells_.erase(std::remove_if(doorbells_.begin(), doorbells_.end(),
                                  [id](const Doorbell& doorbell) { return doorbell.queue == id; }),
                   doorbells_.end());
  if (!look_ahead_) return;
  look_ahead_->shortened(id, 0);
  look_again(id);
}

// As written, though it may still be on its way: two halves written one after the other are one value.
std::uint64_t FrontEnd::last_doorbell(QueueId id) const {
  const auto last = std::find_if(doorbells_.rbegin(), doorbells_.rend(),
                                 [id](const Doorbell& doorbell) { return doorbell.queue == id; });
  return last == doorbells_.rend() ? queues_[index(id)].doorbell : last->value;
}

bool FrontEnd::is_busy() const {
  const bool is_fetching =
      std::any_of(queues_.begin(), queues_.end(), [](const Queue& queue) { return queue.head != queue.doorbell; });
  return is_fetching || !doorbells_.empty() || !fence_writes_.empty() || dispatcher_.is_busy();
}

std::uint64_t FrontEnd::interrupt_status() const {
  const bool is_done = !fresh_completions_.empty() || std::any_of(completion_.begin(), completion_.end(),
                                                                  [](std::uint64_t word) { return word != 0; });
  return (is_done ? reg::kInterruptCompletion : 0) | (error_ != 0 ? reg::kInterruptError : 0);
}

// A reader sees the completions of earlier delta cycles: whoever runs first in this one makes no difference, and
// who is woken by the interrupt finds its reason.
std::uint64_t FrontEnd::completion_word(std::uint64_t word) const {
  std::uint64_t bits = completion_[word];
  for (const Completion& fresh : fresh_completions_) {
    if (fresh.delta != sc_core::sc_delta_count() && index(fresh.queue) / 64 == word) {
      bits |= std::uint64_t{1} << index(fresh.queue) % 64;
    }
  }
  return bits;
}

void FrontEnd::fold_completions() {
  for (std::uint64_t word = 0; word < completion_.size(); ++word) completion_[word] = completion_word(word);
  const auto is_seen = [](const Completion& fresh) { return fresh.delta != sc_core::sc_delta_count(); };
  fresh_completions_.erase(std::remove_if(fresh_completions_.begin(), fresh_completions_.end(), is_seen),
                           fresh_completions_.end());
}

void FrontEnd::report_error(reg::ErrorCode code, QueueId queue) {
  if (error_ == 0) error_ = static_cast<std::uint64_t>(code) | std::uint64_t{index(queue)} << 16;
  irq_event_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace tessera::tlm_model
