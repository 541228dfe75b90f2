// SPDX-License-Identifier: Apache-2.0
// What contexts see of time slicing from within, as thread blocks that note when they did not run: slices of the whole
// GPU, from the first start of a thread block to the last stop.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/base/time.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::campaign {

class SliceSink : public record::ISink {
 public:
  explicit SliceSink(const spec::Spec& spec);

  bool wants_per_tb() const override { return true; }
  void consume(const record::Record& record) override;

  // A slice each, but the first, in which the other context was not there yet; us.
  const std::vector<double>& periods() const { return periods_; }          // to the first start of the next one
  const std::vector<double>& runs() const { return runs_; }                // from first start to last stop
  const std::vector<double>& nobody_runs() const { return nobody_runs_; }  // from there to the next one's first start

 private:
  struct Slice {
    std::uint16_t process;
    Cycle begun;
    std::optional<Cycle> stopped;  // the last stop so far
  };
  void start(const record::Record& record);
  void stop(Cycle cycle);

  const Clock clock_;
  const Cycle pipeline_drain_;
  std::unordered_map<std::uint32_t, std::uint16_t> process_of_;  // by launch
  std::optional<Slice> slice_;
  bool is_first_ = true;
  std::vector<double> periods_;
  std::vector<double> runs_;
  std::vector<double> nobody_runs_;
};

}  // namespace tessera::campaign
