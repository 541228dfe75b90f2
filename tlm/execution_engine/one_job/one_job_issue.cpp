// SPDX-License-Identifier: Apache-2.0
// Thread blocks go to SMs (docs/hardware/timing.md 6.5).
#include <algorithm>

#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/one_job/one_job_driver.h"

namespace tessera::tlm_model {

// ---- issue ---------------------------------------------------------------------------------------------------

// A carry into the upper bits of `next_tb` or `remaining` costs a cycle.
bool OneJobDriver::carries(const TbCounts& tbs) const {
  return has_carries_ && (tbs.next % 256 == 255 || tbs.fresh() % 256 == 0);
}

Cycle OneJobDriver::start_of(Cycle on_pins) const {
  const Cycle decided =
      issues_in_rounds_ && sm_cycle(on_pins) > 0 ? sm_cycle(on_pins) - 1 : sm_cycle(on_pins - spec::kToBurst);
  return std::max(sm_cycle(on_pins), decided + spec_.gpu.framework.tb_issue_cycles);
}

void OneJobDriver::issue(SmId id, Cycle core) {
  last_issue_sm_ = index_of(id);
  issues_first_ = false;
  if (issues_in_rounds_) served_at_[last_issue_sm_] = core;
  free_at_ = issue_tbs(id, core) + 1;
}

// Returns the job's WRITE.
Cycle OneJobDriver::issue_tbs(SmId id, Cycle core) {
  const bool has_handles = tables_.ksr(owners_.sm(id).ksr).preempted_tbs > 0;
  const Cycle write = has_handles ? issue_handles(id, core) : issue_fresh_tbs(id, core);
  update(id);
  return write;
}

Cycle OneJobDriver::issue_fresh_tbs(SmId id, Cycle core) {
  const KsrId owner = owners_.sm(id).ksr;
  const KernelRun& kernel = array_.kernel(owner);
  Cycle burst = core + spec::kToBurst;
  do {
    const bool carry = carries(kernel.tbs);
    send_fresh(id, owner, burst);
    burst += carry ? 2 : 1;
  } while (!is_breadth_first_ && kernel.tbs.fresh() > 0 && tables_.sm(id).running_tbs < kernel.tbs_per_sm);
  return burst;
}

// With a kept turn and breadth first, TBs come back as spread as they were.
bool OneJobDriver::is_batch_over(SmId id, KsrId owner) const {
  const std::uint32_t limit =
      is_breadth_first_ && owners_.keeps_turn() ? saved_per_sm_[index(owner)] : tables_.ksr(owner).tbs_per_sm;
  return supply_.ptbq(owner).size() == 0 || tables_.sm(id).running_tbs >= limit;
}

Cycle OneJobDriver::issue_handles(SmId id, Cycle core) {
  const KsrId owner = owners_.sm(id).ksr;
  Cycle pins = core + spec::kToBurst;
  do {
    send_handle(id, owner, ++pins);
  } while (!is_batch_over(id, owner));
  if (!is_linked(id)) handles_were_sent(id, pins);
  restoring_.set(index_of(id));
  return pins;
}

// ---- on the pins ---------------------------------------------------------------------------------------------

// A TB that has a link before it takes its slot when it arrives.
void OneJobDriver::send_fresh(SmId id, KsrId owner, Cycle on_pins) {
  if (!is_linked(id)) return supply_.send_fresh(id, next_place(id), owner, start_of(on_pins));
  SmCommand command;
  command.kind = SmCommand::Kind::kFresh;
  command.ksr = owner;
  command.start = start_of(links_.arrival(id, on_pins));
  const TbSupply::FreshTb taken = supply_.take_fresh(id, owner, command.start);
  command.handle.tb = taken.tb;
  command.duration = taken.duration;
  send(id, command, on_pins);
}

void OneJobDriver::send_handle(SmId id, KsrId owner, Cycle on_pins) {
  if (!is_linked(id)) {
    supply_.send_handle(id, next_place(id), owner, handle_start(on_pins));
    return;
  }
  SmCommand command;
  command.kind = SmCommand::Kind::kHandle;
  command.ksr = owner;
  command.start = handle_start(links_.arrival(id, on_pins));
  command.handle = supply_.take_handle(id, owner);
  command.is_last = is_batch_over(id, owner);
  send(id, command, on_pins);
}

Cycle OneJobDriver::handle_start(Cycle core) const {
  const Cycle issue_cycles = spec_.gpu.framework.tb_issue_cycles;
  return sm_cycle(core) + (issue_cycles > spec::kHandleLead ? issue_cycles - spec::kHandleLead : 0);
}

// The last of them is at the SM in this cycle.
void OneJobDriver::handles_were_sent(SmId id, Cycle core) {
  const bool brings_in = array_.sm(id).coming() != 0;
  exits_.handles_were_sent(id, brings_in ? handle_start(core) : std::max(handle_start(core), sm_cycle(core + 1)));
}

}  // namespace tessera::tlm_model
