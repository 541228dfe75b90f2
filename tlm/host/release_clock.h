// SPDX-License-Identifier: Apache-2.0
// Releases the runs of a process at their times, even while an earlier run is active, and tells the process which run
// is next (docs/concepts/readings.md, Releases).
#pragma once

#include <deque>
#include <optional>
#include <systemc>

#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "model/workload/releases.h"
#include "tlm/base/cycle_time.h"

namespace tessera::tlm_model {

class ReleaseClock : public sc_core::sc_module {
 public:
  // For Spec::processes[process], which must have releases.
  ReleaseClock(const sc_core::sc_module_name& name, const spec::Spec& spec, std::uint32_t process,
               record::RecordLog& log);

  // Called by the process. Waits until its next run may start, and returns the run's number, which is that of its
  // release. Empty: no more runs will come.
  std::optional<std::uint32_t> wait_for_run();
  void end_run();
  // Whether wait_for_run() need not wait.
  bool has_run();
  bool is_over() const { return is_over_; }

 private:
  struct Release {
    std::uint32_t run = 0;
    Cycle cycle = 0;
  };

  void release();
  void announce();
  void look_ahead();
  void drop_passed();
  void emit(const Release& release, std::uint64_t num_open);

  const spec::ProcessSpec& process_;
  std::uint16_t index_;
  workload::ReleaseTimes times_;
  record::RecordLog& log_;
  CycleTime time_;
  Cycle deadline_;
  std::optional<Release> next_;      // the next release
  std::deque<Release> waiting_;      // released and not started
  std::deque<Release> unannounced_;  // releases of this cycle
  std::optional<std::uint32_t> running_;
  std::uint32_t num_ended_ = 0;
  Cycle last_end_ = 0;
  bool is_over_ = false;
  sc_core::sc_event released_;
  sc_core::sc_event cycle_passed_;
};

}  // namespace tessera::tlm_model
