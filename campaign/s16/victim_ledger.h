// SPDX-License-Identifier: Apache-2.0
// From the records of one request: when SMs gave their places, who left them, how, and what that wasted.
#pragma once

#include <map>
#include <utility>

#include "campaign/s16/probe.h"
#include "model/record/record.h"

namespace tessera::campaign::s16 {

class VictimLedger final : public record::ISink {
 public:
  explicit VictimLedger(const ProbeInput& input);

  // Techniques that choose no victims say nothing of them either: their thread blocks are followed one by one.
  bool wants_per_tb() const override { return !chooses_victims_; }
  void consume(const record::Record& record) override;

  // What it knows of the request when that is over; the cycle of the last place granted is added. `has_places`: the
  // guest has all that it needs, and SMs that are still asked for some are asked in vain, not late.
  Probe result(bool has_places) const;
  Cycle last_grant() const { return last_grant_; }  // 0: none

 private:
  using Place = std::pair<std::uint16_t, std::uint16_t>;  // SM, slot
  struct Victim {
    std::uint32_t tb = 0;
    preemption::Exit chosen = preemption::Exit::kDrain;
    preemption::Exit left_by = preemption::Exit::kDrain;
    bool has_left = false;
    bool is_estimated = false;  // its draining was, and it was not told to leave in another way later
    Cycle estimate = 0;
    Cycle took = 0;
    Cycle run_for = 0;
    std::uint64_t executed = 0;
    std::uint64_t wasted = 0;
  };
  struct Sm {
    Cycle last_grant = 0;
    bool is_open = false;  // requested, and nothing came of that yet
    bool has_granted = false;
    Cycle save_started = 0;
  };

  void granted(const record::Record& record, std::uint64_t num_places);
  void chosen(const record::Record& record);
  void left(const record::Record& record);
  void requested(const record::Record& record);
  void take(const record::Record& record, preemption::Exit exit);
  void add(const Victim& victim, Probe& probe) const;
  Victim* resident_victim(const record::Record& record);

  const ProbeInput& input_;
  bool chooses_victims_;
  Cycle limit_;
  std::uint32_t guest_tbs_per_sm_;
  std::uint64_t places_ = 0;
  std::uint64_t late_ = 0;
  Cycle last_grant_ = 0;
  std::vector<Sm> sms_;
  std::map<Place, Victim> victims_;                             // that have not left, or whose place is not taken again
  std::vector<Victim> gone_;                                    // in the order in which they left
  std::map<Place, std::pair<std::uint32_t, Cycle>> residents_;  // thread block, start; where they are followed
};

}  // namespace tessera::campaign::s16
