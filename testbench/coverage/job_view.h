// SPDX-License-Identifier: Apache-2.0
// A cycle of the core as its coverpoints look at it, and the job that has just ended.
#pragma once

#include "rtl_model/scheduler/tsr_scheduler.h"
#include "testbench/scoreboard.h"

namespace tessera::testbench {

using JobEngine = rtl_model::JobEngine;
using Search = rtl_model::Search;

// What stood in its SM's row when a job was judged, and how it went on.
struct JobView {
  bool is_over = false;  // the cycle before was its last: events of it are on the pins
  bool is_rejected = false;
  JobEngine::Job job = JobEngine::Job::kIssue;
  rtl_model::SmRow sm;
  bool is_active = false, is_trapped = false, is_restoring = false, is_draining = false;
  bool owner_is_fresh = false, owner_has_handles = false;
  bool has_visit_b = false;
  bool owner_awaits_set_up = false, owner_awaits_reserved = false;  // another SM, running or reserved, its set-up
  bool finishes = false;                                            // its owner
  bool is_of_foreign = false;  // a take: of an SM of a kernel of another partition,
  bool finds_no_sm = false;    // of which there is none,
  bool is_own = false;         // or which is of its kernel's partition
  unsigned num_given = 0;      // SMs, of an assign
  unsigned num_tbs = 0;        // that it issued
  unsigned num_carries = 0;    // cycles of BURST in which it chose none
};

struct CycleView {
  const rtl_model::Params& params;
  const rtl_model::SchedulerInputs& in;
  const rtl_model::SchedulerOutputs& out;
  const rtl_model::TsrScheduler& core;  // registers, before the edge
  const Scoreboard& board;              // this cycle included
  const JobView& job;
  const rtl_model::SchedulerInputs& in_before;
  Search::State state_before;

  bool takes_write() const { return in.control.valid && out.control_ready; }
  bool takes(rtl_model::ControlRegister reg) const { return takes_write() && in.control.reg == reg; }
  bool restarts() const {
    if (in.control.reg == rtl_model::ControlRegister::kPartition)
      return takes_write() && core.tables().partitions.are_there();
    return takes_write() && in.control.reg < rtl_model::ControlRegister::kPageTable;
  }
  bool takes_event() const { return in.sm_event.valid && out.sm_event_ready; }
  bool ends(JobEngine::Job kind) const { return job.is_over && job.job == kind; }
};

}  // namespace tessera::testbench
