// SPDX-License-Identifier: Apache-2.0
// An excerpt of a simulation as text: one row per SM, one column per interval. Small enough for a terminal; use the
// Perfetto trace for the whole simulation.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/held_sm.h"

namespace tessera::record {

// One character per SM and interval: 'A' the TBs of process 0 run, 'a' its contexts are saved or restored,
// '~' it is being drained, '.' idle, '-' idle by rule. A shared SM shows the second kernel from its first place on;
// one that all kernels share, the kernel that holds most of it.
struct Timeline {
  Cycle from = 0;  // of the first column
  Cycle cycles_a_column = 0;
  std::vector<std::string> rows;  // by SM; empty when nothing ever ran
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Timeline, from, cycles_a_column, rows)

// Draws `num_columns` columns from the first preemption on, or from the first kernel if there is no preemption.
class TimelineSink : public ISink {
 public:
  TimelineSink(std::uint32_t num_sms, std::uint32_t num_columns, Cycle cycles_a_column);

  bool wants_per_tb() const override { return false; }
  bool wants_held() const override { return true; }
  void consume(const Record& record) override;
  void finish(Cycle end) override;

  // Valid after finish().
  const Timeline& timeline() const { return from_preemption_.rows.empty() ? from_kernel_ : from_preemption_; }

 private:
  struct SmState {
    char running = '.';  // the letter of its process
    char now = '.';
    std::uint32_t launch = kNoNumber;
    // For techniques that choose victims.
    bool is_shared = false;          // `running` is the guest then
    char owner = '.';                // its letter meanwhile
    std::uint64_t saving_bytes = 0;  // of victims
    std::uint64_t draining = 0;      // slots of victims
    HeldSm held;                     // where kernels share it
  };
  void apply(const Record& record);
  void apply_held(SmState& sm);
  void apply_sharing(SmState& sm, const Record& record);
  void withhold(const Record& record);
  void draw_until(Timeline& picture, Cycle cycle);
  void start_once(Timeline& picture, Cycle cycle);

  std::uint32_t num_columns_;
  Cycle cycles_a_column_;
  std::vector<SmState> sms_;
  LaunchTable launches_;
  Timeline from_kernel_;  // without rows until it starts
  Timeline from_preemption_;
};

}  // namespace tessera::record
