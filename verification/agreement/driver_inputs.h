// SPDX-License-Identifier: Apache-2.0
// Was a driver told the same in both logs, as far as it must have been? When groups arrive follows from the process's
// own past, how long they are on the GPU from their kernels and from what is there with them. What a driver decides
// between the two is judged by itself (driver_audit.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/record/record.h"
#include "verification/agreement/driver_audit.h"
#include "verification/agreement/driver_story.h"
#include "verification/agreement/explanation.h"
#include "verification/agreement/log_summary.h"

namespace tessera::verification {

class DriverInputs {
 public:
  // All must outlive this object. `looks`: how the driver is told, the same in both logs.
  DriverInputs(const DriverStory& tlm, const DriverStory& clocked, const LogSummary& tlm_summary,
               const LogSummary& clocked_summary, const Explanations& explanations, const DriverReport& looks);

  // A line for each that nothing explains:
  // 1. a group's arrival that comes later, or earlier, than what it follows: its process's last submission, the last of
  //    its groups that was done, or the run's start. Groups of a process that arrived in one log only, likewise;
  // 2. a group's time on the GPU, or what it is charged of it, that differs beyond the tolerance of a turnaround and
  // what its
  //    kernels differ by. It is explained by an event inside a decision, or by another group that was on the GPU with
  //    it and came, or went, at another distance.
  std::vector<std::string> unexplained() const;

 private:
  using Offset = std::int64_t;  // clocked less transaction-level
  struct Hull {
    Offset least = 0;
    Offset most = 0;
    bool is_empty = true;
    void add(Offset offset);
  };
  struct Ref {
    std::uint16_t process = record::kNoIndex;
    std::size_t nth = 0;
  };

  void judge_arrivals(std::uint16_t process, std::vector<std::string>& lines) const;
  void judge_missing(const Ref& ref, std::vector<std::string>& lines) const;
  void judge_service(const Ref& ref, std::vector<std::string>& lines) const;
  void judge_open(const Ref& ref, std::vector<std::string>& lines) const;
  Hull causes_of_arrival(const Ref& ref) const;
  void add_run_start(std::uint16_t process, Cycle in_tlm_log, Cycle in_clocked_log, Hull& hull) const;
  void add_last_done(const Ref& ref, Cycle in_tlm_log, Cycle in_clocked_log, Hull& hull) const;
  bool is_covered(const Ref& ref, Cycle difference, Cycle service) const;
  bool was_told_shortly_before(const Ref& ref) const;
  Cycle drift_of_kernels(const Ref& ref) const;
  bool is_explained(const Ref& ref) const;
  bool is_disturbed_by(const Ref& other, const Ref& ref) const;

  const GroupTimes* in_tlm(const Ref& ref) const { return tlm_.group(ref.process, ref.nth); }
  const GroupTimes* in_clocked(const Ref& ref) const { return clocked_.group(ref.process, ref.nth); }

  const DriverStory& tlm_;
  const DriverStory& clocked_;
  const LogSummary& tlm_summary_;
  const LogSummary& clocked_summary_;
  const Explanations& explanations_;
  Cycle tick_;
  Cycle interrupt_;
  bool is_wall_time_;  // that is charged; else it is judged by itself (measured_charges.h)
};

}  // namespace tessera::verification
