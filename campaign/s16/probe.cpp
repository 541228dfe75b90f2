// SPDX-License-Identifier: Apache-2.0
// Up to the request the engine runs at full speed; from then on it is looked at after each event.
#include "campaign/s16/probe.h"

#include <algorithm>

#include "campaign/s16/victim_ledger.h"
#include "model/record/record_log.h"
#include "tlm/execution_engine/execution_core.h"

namespace tessera::campaign::s16 {
namespace {

using tlm_model::ExecutionCore;
using tlm_model::KernelLaunch;

constexpr ContextId kVictimContext{0};
constexpr ContextId kGuestContext{1};

void send(ExecutionCore& core, KernelLaunch launch, ContextId context, Cycle arrival) {
  launch.queue = QueueId(index(context));
  launch.context = context;
  launch.process = static_cast<std::uint16_t>(index(context));
  core.send({arrival - 1, static_cast<std::uint32_t>(index(context)), std::move(launch)});
}

void run_before(ExecutionCore& core, Cycle limit) {
  while (core.next_event() < limit) {
    core.run_until(limit);
    core.take_done();
  }
}

// The cycle in which the guest was done, if it is.
Cycle end_of_guest(const ExecutionCore& core) {
  for (const auto& done : core.done()) {
    if (done.queue == QueueId(index(kGuestContext))) return done.cycle;
  }
  return kNever;
}

bool has_places(const ExecutionCore& core) {
  for (const KsrId id : core.tables().active_queue()) {
    const policy::KsrEntry& ksr = core.tables().ksr(id);
    if (ksr.context == kGuestContext) return ksr.issuable_tbs() == 0;
  }
  return false;
}

// By the resident thread blocks of both kernels, those that stand still among them.
std::uint64_t registers_held(const ExecutionCore& core, std::uint32_t num_sms) {
  std::uint64_t registers = 0;
  for (std::uint32_t i = 0; i < num_sms; ++i) {
    const tlm_model::Sm& sm = core.array().sm(SmId(i));
    tlm_model::for_each_slot(sm.occupied & ~sm.flushed, [&](std::uint32_t slot) {
      registers += core.array().kernel_in(SmId(i), slot).launch.regs_per_tb;
    });
  }
  return registers;
}

struct Step {
  Cycle from = 0;
  std::uint64_t registers = 0;
};

std::uint64_t integral(const std::vector<Step>& steps, Cycle end) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < steps.size() && steps[i].from < end; ++i) {
    const Cycle until = i + 1 < steps.size() ? std::min(end, steps[i + 1].from) : end;
    sum += steps[i].registers * (until - steps[i].from);
  }
  return sum;
}

}  // namespace

std::uint64_t Probe::late_sms(Cycle limit) const {
  return static_cast<std::uint64_t>(
      std::count_if(waits.begin(), waits.end(), [limit](Cycle wait) { return wait > limit; }));
}

Probe run_probe(const ProbeInput& input) {
  const std::uint32_t num_sms = input.machine.gpu.num_sms;
  record::RecordLog log;
  VictimLedger ledger(input);
  log.add_sink(&ledger);
  ExecutionCore core(input.machine, log, nullptr);
  send(core, input.victim, kVictimContext, input.victim_arrives);
  send(core, input.guest, kGuestContext, input.guest_arrives);
  // 1. The victim alone.
  run_before(core, input.guest_arrives);
  std::vector<Step> steps{{input.guest_arrives, registers_held(core, num_sms)}};
  // 2. Until the guest's thread blocks are where they should be, or have ended.
  const Cycle end = input.guest_arrives + input.gives_up_after;
  Cycle guest_ended = kNever;
  const auto is_over = [&] { return input.until_guest_ends ? guest_ended != kNever : has_places(core); };
  while (!is_over() && core.next_event() < end) {
    const Cycle now = core.next_event();
    core.run_until(now + 1);
    guest_ended = std::min(guest_ended, end_of_guest(core));
    core.take_done();
    steps.push_back({now, registers_held(core, num_sms)});
  }
  const bool guest_has_places = guest_ended != kNever || has_places(core);
  core.finish(core.now() + 1);
  log.finish(core.now() + 1);
  // 3. What came of it.
  Probe probe = ledger.result(guest_has_places);
  if (guest_ended != kNever) probe.guest_took = guest_ended - input.guest_arrives;
  probe.registers_before = steps.front().registers;
  probe.registers_all = std::uint64_t{input.machine.gpu.registers_per_sm} * num_sms;
  if (ledger.last_grant() > input.guest_arrives) {
    probe.registers_held = integral(steps, ledger.last_grant());
    probe.registers_there = probe.registers_all * (ledger.last_grant() - input.guest_arrives);
  }
  for (const KsrId id : core.tables().active_queue()) probe.thread_blocks += core.tables().ksr(id).counts().next;
  for (const auto& [name, verdict] : core.monitor().verdicts()) {
    if (verdict != "ok") probe.faults.push_back(name + ": " + verdict);
  }
  return probe;
}

Cycle cycles_of(const spec::Spec& machine, const KernelLaunch& launch) {
  constexpr Cycle kArrives = 1;
  record::RecordLog log;
  ExecutionCore core(machine, log, nullptr);
  send(core, launch, kVictimContext, kArrives);
  while (core.done().empty() && core.next_event() < kNever) core.run_until(kNever);
  return core.done().empty() ? kNever : core.done().front().cycle - kArrives;
}

void to_json(nlohmann::json& json, const Probe& p) {
  json = {p.waits,
          p.places,
          p.late,
          p.exits,
          p.executed,
          p.wasted,
          p.drained,
          p.relative_errors,
          p.errors,
          p.drain_cycles,
          p.registers_held,
          p.registers_there,
          p.registers_before,
          p.registers_all,
          p.guest_took,
          p.guest_alone,
          p.thread_blocks,
          p.faults};
}

void from_json(const nlohmann::json& json, Probe& p) {
  std::size_t i = 0;
  const auto next = [&](auto& field) { json.at(i++).get_to(field); };
  next(p.waits);
  next(p.places);
  next(p.late);
  next(p.exits);
  next(p.executed);
  next(p.wasted);
  next(p.drained);
  next(p.relative_errors);
  next(p.errors);
  next(p.drain_cycles);
  next(p.registers_held);
  next(p.registers_there);
  next(p.registers_before);
  next(p.registers_all);
  next(p.guest_took);
  next(p.guest_alone);
  next(p.thread_blocks);
  next(p.faults);
}

}  // namespace tessera::campaign::s16
