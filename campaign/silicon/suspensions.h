// SPDX-License-Identifier: Apache-2.0
// How long suspensions of one process take: until its driver knows that nothing of it is on the GPU.
#pragma once

#include <vector>

#include "model/base/time.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::campaign {

class SuspensionSink : public record::ISink {
 public:
  SuspensionSink(const spec::Spec& spec, std::uint16_t process);

  bool wants_per_tb() const override { return false; }
  void consume(const record::Record& record) override;
  const std::vector<double>& took() const { return took_; }  // us; a suspension that came to its end each

 private:
  const Clock clock_;
  const std::uint16_t process_;
  std::vector<double> took_;
};

}  // namespace tessera::campaign
