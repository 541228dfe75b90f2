// SPDX-License-Identifier: Apache-2.0
// Put in front of the engine's sources (-include), this makes a second engine beside the usual one: its log can
// say at compile time that nobody wants records of thread blocks, so no code for them is left.
#pragma once

#include "model/record/record_log.h"

namespace tessera::record {

class RecordLogWithoutTbs : public RecordLog {
 public:
  static constexpr bool wants_per_tb() { return false; }  // hides the question asked at run time
};

}  // namespace tessera::record

#define RecordLog RecordLogWithoutTbs
#define tlm_model tlm_model_without_tb_records
