// SPDX-License-Identifier: Apache-2.0
// How much of each shared SM each kernel holds: the places of its thread blocks, for the log.
#pragma once

#include <vector>

#include "model/base/ids.h"
#include "model/base/sm_set.h"
#include "model/record/record_log.h"

namespace tessera::tlm_model {

class Holdings {
 public:
  Holdings(record::RecordLog& log, std::uint32_t num_sms) : log_(log), sms_(num_sms) {}

  // Whether anybody reads it; nothing else need be called if nobody does.
  bool are_wanted() const { return log_.wants_held(); }
  // `share_ppm`: what a thread block takes of the SM.
  void change(SmId sm, LaunchId launch, std::int32_t by, std::uint32_t share_ppm);
  // At the end of a cycle: what has changed in it.
  void tell(Cycle now);

 private:
  struct Held {
    LaunchId launch{};
    std::int32_t now = 0;
    std::int32_t told = 0;
    std::uint32_t share_ppm = 0;  // of one
  };

  record::RecordLog& log_;
  std::vector<std::vector<Held>> sms_;
  SmSet changed_;
};

}  // namespace tessera::tlm_model
