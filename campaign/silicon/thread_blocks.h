// SPDX-License-Identifier: Apache-2.0
// Where thread blocks run, and when: the same statistics of a table and of a simulation.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/base/time.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::campaign {

// Of the intervals [start, end).
double most_at_once(const std::vector<double>& starts, const std::vector<double>& ends);
// SMs that have had a thread block before any has its third, by the SM of each, in their order; all of them if none
// has.
double even_sms(const std::vector<double>& sms);

// Those of some processes, in the order of their starts.
class ThreadBlockSink : public record::ISink {
 public:
  ThreadBlockSink(const spec::Spec& spec, std::vector<std::uint32_t> processes);

  bool wants_per_tb() const override { return true; }
  void consume(const record::Record& record) override;

  std::vector<double> starts() const;  // us, of those that have ended
  std::vector<double> ends() const;    // likewise
  const std::vector<double>& sms() const { return sms_; }
  const std::vector<double>& turnarounds() const { return turnarounds_; }  // us, from an end to the next start there

 private:
  struct Span {
    Cycle start;
    Cycle end;
  };
  bool is_its(std::uint16_t process) const;

  const Clock clock_;
  const std::vector<std::uint32_t> processes_;
  std::unordered_map<std::uint32_t, std::uint16_t> process_of_;  // by launch
  std::unordered_map<std::uint32_t, Span> last_in_;              // by SM and slot
  std::vector<Span> ended_;
  std::vector<double> sms_;
  std::vector<double> turnarounds_;
};

}  // namespace tessera::campaign
