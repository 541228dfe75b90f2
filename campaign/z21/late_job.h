// SPDX-License-Identifier: Apache-2.0
// The first job of a run that misses its deadline, and what kept the SMs of its partition from it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/time.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::campaign::z21 {

// What the paper's analysis knows nothing of.
enum class Loss : std::uint8_t {
  kPaths,      // from the release to the command buffer, and from the kernel's end to that of the run
  kBlocking,   // SMs taken by drain run on with thread blocks of a job that is due later
  kSwitching,  // traps, saves, restores, set-ups
  kSearch      // SMs wait until the policy has found that somebody wants them
};
inline constexpr std::array<const char*, 4> kLossNames{"launch and completion", "blocking", "switching", "search"};

struct LateJob {
  std::string task;
  std::uint32_t run = 0;
  bool has_ended = true;   // else it is open at the end, with its deadline behind it
  double response_ms = 0;  // so far, where it has not ended
  double deadline_ms = 0;
  // Since when, up to its end, the partition has had it, or others due no later, without a break; and how much of that
  // was lost, in SM time over the partition's SMs. 0 where there are no partitions.
  double busy_ms = 0;
  std::array<double, kLossNames.size()> lost_ms{};

  double lost() const;
  // The largest loss, or, if all of them together are less than what the job was late by, "its own demand". Empty
  // where there are no partitions.
  std::string cause() const;
};

// Keeps the records of a partition as long as it has something to do, up to the first job that is late.
class FirstLate : public record::ISink {
 public:
  explicit FirstLate(const spec::Spec& spec);  // which outlives it

  bool wants_per_tb() const override { return false; }
  bool is_done() const override { return late_.has_value(); }
  void consume(const record::Record& record) override;
  void finish(Cycle end) override;

  const std::optional<LateJob>& late() const { return late_; }

 private:
  using JobId = std::pair<std::uint16_t, std::uint32_t>;  // process, run
  struct Open {
    Cycle released = 0;
    Cycle deadline = 0;  // from then on
  };
  std::optional<std::size_t> partition_of(const record::Record& record) const;
  void end_of_run(const record::Record& record);
  void tell(const JobId& job, const Open& open, Cycle end, bool has_ended);

  const spec::Spec* spec_;
  std::map<JobId, Open> open_;
  std::vector<std::optional<std::size_t>> partitions_;  // by SM
  std::vector<std::vector<record::Record>> logs_;       // by partition
  std::vector<std::size_t> num_open_;                   // jobs, by partition
  std::optional<LateJob> late_;
};

}  // namespace tessera::campaign::z21
