// SPDX-License-Identifier: Apache-2.0
// When the thread blocks of a kernel's launches start, and which others start meanwhile.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/base/time.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::campaign {

class StartSink : public record::ISink {
 public:
  StartSink(const spec::Spec& spec, std::uint16_t process, std::uint16_t kernel);

  bool wants_per_tb() const override { return true; }
  void consume(const record::Record& record) override;

  // A launch that has ended each.
  const std::vector<double>& medians() const { return medians_; }                // us after its first start
  const std::vector<double>& lasts() const { return lasts_; }                    // likewise
  const std::vector<double>& others_between() const { return others_between_; }  // from its first start to its last
  const std::vector<double>& others_since() const { return others_since_; }      // from its arrival to its last start

 private:
  struct Launch {
    Cycle arrived;
    std::vector<Cycle> starts;
  };
  void finish(const Launch& launch);

  const Clock clock_;
  const std::uint16_t process_;
  const std::uint16_t kernel_;
  std::map<std::uint32_t, Launch> launches_;  // active ones, by their number
  std::vector<Cycle> others_;                 // starts of thread blocks of other launches while there are such
  std::vector<double> medians_;
  std::vector<double> lasts_;
  std::vector<double> others_between_;
  std::vector<double> others_since_;
};

}  // namespace tessera::campaign
