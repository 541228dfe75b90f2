// SPDX-License-Identifier: Apache-2.0
// The jobs of the search (docs/hardware/timing.md 6.4): SMs are assigned, taken away and evicted.
#include <algorithm>

#include "model/policy/selection.h"
#include "model/spec/core_cycles.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/one_job/one_job_driver.h"

namespace tessera::tlm_model {
namespace {

constexpr Cycle kLoadToBurst = 2;

}  // namespace

// ---- what is known before WRITE ------------------------------------------------------------------------------

void OneJobDriver::start_search_job(Cycle core) {
  search_job_ = *offered_;
  offered_.reset();
  moved_at_ = kNever;
  given_.clear();
  num_begun_ = 0;
  const bool takes = search_job_.move.takes_sm();
  if (takes) find_victim_sm();
  start(JobKind::kSearch, takes ? search_job_.move.sm : kNoSm, core, takes);
  if (search_job_.eviction) {
    job_->write = core + eviction_cycles();
  } else if (!takes) {
    job_->write -= spec::kNoSmCycles;
    job_->row = core + 1;
    job_->load = core + 2;
  } else if (is_rejected(search_job_)) {
    job_->is_rejected = true;
    job_->write = core + spec::kToRejection;
  }
  if (lane_ && search_job_.is_move()) row_waits_for_lane(*job_);
}

// FIND of a take.
void OneJobDriver::find_victim_sm() {
  policy::Decision& move = search_job_.move;
  const policy::Decision found = policy::take_sm(tables_, nullptr, move.kernel, move.victim);
  move.sm = found.sm;
  if (found.sm == kNoSm) return;
  move.action = found.action;
  search_job_.claimant = tables_.claimant(found.sm);
}

// The kernel shall still want the SM of a take, or SMs of an assign, and the SM shall be there.
bool OneJobDriver::is_rejected(const SearchJob& job) const {
  const policy::KsrEntry& ksr = tables_.ksr(job.move.kernel);
  if (!ksr.is_valid || (job.move.is_needed && ksr.uncovered_tbs() <= 0)) return true;
  if (job.is_assign()) return false;
  return job.move.sm == kNoSm || is_falsely_foreign(job);
}

bool OneJobDriver::is_falsely_foreign(const SearchJob& job) const {
  return job.move.takes_sm() && job.move.sm != kNoSm && job.move.victim == kNoKsr &&
         tables_.ksr(job.claimant).partition == tables_.ksr(job.move.kernel).partition;
}

// LOAD of an assign: the SMs that it gives, one a cycle. In the tables from now on.
void OneJobDriver::give_idle_sms(Job& job) {
  const policy::Decision& move = search_job_.move;
  job.is_rejected = is_rejected(search_job_);
  job.write = job.load + 1;
  if (job.is_rejected) return;
  const Cycle first = job.load + kLoadToBurst;
  const policy::KsrEntry& ksr = tables_.ksr(move.kernel);
  while (given_.size() < move.limit && (given_.empty() || ksr.needs_another_sm())) {
    const SmId idle = tables_.idle_sm_for(move.kernel);
    if (idle == kNoSm) break;
    assign(idle, move.kernel, sm_cycle(job.load));
  }
  if (!given_.empty()) moved_at_ = first;
  job.write = first + given_.size() + 1;
}

void OneJobDriver::assign(SmId id, KsrId ksr, Cycle) {
  tables_.assign(id, ksr);
  own(id, ksr);
  given_.push_back(id);
}

// Its cycle of BURST: not before it the log has the SM's set-up, which a run that stops sooner never sees.
void OneJobDriver::begin_next_set_up() {
  const SmId id = given_[num_begun_];
  owners_.set_up_begins(id, sm_cycle(moved_at_ + num_begun_++));
}

// A visit to each kernel that holds an SM; all tables are written in the last one.
Cycle OneJobDriver::eviction_cycles() const {
  const auto& queue = tables_.active_queue();
  const auto holds = [this](KsrId id) { return tables_.ksr(id).sms_held() > 0; };
  const auto num_visits = static_cast<Cycle>(std::count_if(queue.begin(), queue.end(), holds));
  return spec::kEvictionVisitCycles * std::max<Cycle>(num_visits, 1);  // they may all have finished since
}

// ---- WRITE ---------------------------------------------------------------------------------------------------

// A register was written since: the kernel may not have that SM any more.
bool OneJobDriver::is_out_of_place(const Job& job) const {
  if (job.kind != JobKind::kSearch || !search_job_.move.takes_sm()) return false;
  return tables_.is_partitioned() && !tables_.is_in_partition(search_job_.move.kernel, search_job_.move.sm);
}

// What was seen as foreign may not be so.
void OneJobDriver::clear_foreign() {
  if (is_falsely_foreign(search_job_)) tables_.clear_foreign(search_job_.move.sm);
}

void OneJobDriver::write_search_job(Cycle now) {
  if (search_job_.is_activation()) return on_activation(search_job_.activated, now);
  if (search_job_.eviction) return evict(*search_job_.eviction, now);
  const policy::Decision& move = search_job_.move;
  switch (move.action) {
    case policy::Action::kReserve:
      return reserve(move.sm, move.kernel, now);
    case policy::Action::kRetarget:
      return retarget(move.sm, move.kernel, now);
    case policy::Action::kAssign:  // all are given
    case policy::Action::kNone:
    case policy::Action::kPass:
      return;
  }
}

void OneJobDriver::reserve(SmId id, KsrId next, Cycle now) {
  array_.set_now(now);
  owners_.reserve(id, next, now);
  const std::uint32_t sm = index_of(id);
  const bool is_draining = owners_.technique() == spec::TechniqueKind::kDrain;
  drains_.set(sm, is_draining);
  traps_.set(sm, !is_draining && active_.has(sm) && !restoring_.has(sm));
  update(id);
}

void OneJobDriver::retarget(SmId id, KsrId next, Cycle now) {
  array_.set_now(now);
  if (!owners_.retarget(id, next, now)) return;
  drains_.clear(index_of(id));
  update(id);
}

void OneJobDriver::evict(spec::TechniqueKind how, Cycle now) {
  array_.set_now(now);
  const bool is_draining = how == spec::TechniqueKind::kDrain;
  for (std::uint32_t sm = 0; sm < spec_.gpu.num_sms; ++sm) {
    const auto id = SmId(sm);
    if (tables_.sm(id).status == policy::SmStatus::kIdle) continue;
    if (is_running(id)) {
      drains_.set(sm, is_draining);
      traps_.set(sm, !is_draining && active_.has(sm) && !restoring_.has(sm));
    }
    owners_.evict(id, how, now);
    update(id);
  }
}

}  // namespace tessera::tlm_model
