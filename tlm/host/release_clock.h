// SPDX-License-Identifier: Apache-2.0
// Releases the runs of a process at their times, whether or not an earlier one goes on, and tells the process which
// one is next (docs/concepts/readings.md, Releases).
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
  // Of Spec::processes[process], which has releases.
  ReleaseClock(const sc_core::sc_module_name& name, const spec::Spec& spec, std::uint32_t process,
               record::RecordLog& log);

  // Called by the process, which runs one after the other. Waits until the next one may start, and returns its number:
  // that of its release. Nothing where no more will come.
  std::optional<std::uint32_t> wait_for_run();
  void end_run();
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
  std::optional<Release> next_;      // the first that has not come
  std::deque<Release> waiting_;      // have come and not started
  std::deque<Release> unannounced_;  // of this cycle
  std::optional<std::uint32_t> running_;
  std::uint32_t num_ended_ = 0;
  Cycle last_end_ = 0;
  bool is_over_ = false;
  sc_core::sc_event released_;
  sc_core::sc_event cycle_passed_;
};

}  // namespace tessera::tlm_model
