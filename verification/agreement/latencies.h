// SPDX-License-Identifier: Apache-2.0
// The machine's own latencies, read off a log: an SM's set-up, the trap, and what it takes to move a context. Two
// models that decide differently still have them in common.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "model/record/record.h"
#include "verification/agreement/event_port.h"

namespace tessera::verification {

struct Latency {
  std::uint64_t samples = 0;
  Cycle shortest = kNever;  // what lasts longer has waited for something
  Cycle waited = 0;         // for the core's event port, at the most, in the shortest
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Latency, samples, shortest, waited)

// By name: "set_up", "trap" (by microcode: "trap of 4096 bytes"), "save of 4096 bytes", "restore of 4096 bytes".
using Latencies = std::map<std::string, Latency>;

class LatencyMeter final : public record::ISink {
 public:
  LatencyMeter(const spec::Spec& spec, CoreKind core);

  bool wants_per_tb() const override { return true; }
  void consume(const record::Record& record) override;
  const Latencies& latencies() const { return latencies_; }

 private:
  struct Sm {
    Cycle set_up = kNever;
    Cycle requested = kNever;
    Cycle move_started = kNever;
    std::uint64_t moving_bytes = 0;
    Cycle num_handles = 0;  // of the TBs that were saved
    bool is_alone = false;  // since its move started, nobody else has moved a context
  };

  void set_up_over(Sm& sm, const record::Record& first);
  void move_started(const record::Record& record);
  void move_over(const record::Record& record, const char* what);
  void note(const std::string& name, Cycle cycles, Cycle waited = 0);
  Sm& sm_of(const record::Record& record);

  LinkDelays links_;
  EventPort port_;
  bool is_channel_divided_;  // statically: nobody slows another's move
  bool is_microcode_;
  Cycle set_up_cycles_;
  bool is_save_a_job_;
  std::vector<Sm> sms_;
  std::uint32_t num_moving_ = 0;
  Latencies latencies_;
};

// One line for each latency that both logs show often enough to be sure of, and that differs.
std::vector<std::string> compare_latencies(const Latencies& tlm, const Latencies& clocked);

}  // namespace tessera::verification
