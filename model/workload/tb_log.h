// SPDX-License-Identifier: Apache-2.0
// The thread-block log of one kernel on a cycle-level GPU simulator: per TB its SM, slot, start and end cycle.
// CSV with a header of comments that gives the machine (docs/concepts/readings.md, Logged order).
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "model/base/time.h"

namespace tessera::workload {

// Where and when one TB ran: from `start` to `end` on slot `slot` of SM `sm`.
struct TbPlacement {
  std::uint32_t sm = 0;
  std::uint32_t slot = 0;
  Cycle start = 0;
  Cycle end = 0;
};

struct TbLog {
  std::uint32_t num_sms = 0;     // "# ... 15 SMs ..."
  std::uint32_t tbs_per_sm = 0;  // "# ... tbs_per_sm=6 ..."
  std::vector<TbPlacement> tbs;  // by TB; at least one

  std::vector<Cycle> durations() const;  // by TB; at least 1 cycle each
};

// Throws spec::InputError with every mistake (file:line:column): a header without the machine, a line that is not
// five numbers, an SM or slot that the machine does not have, a TB that ends before it starts, is listed twice or is
// missing, and times that are too large to replay.
// `name`: of the file, for messages.
TbLog read_tb_log(std::istream& in, const std::string& name);
TbLog read_tb_log_file(const std::string& path);

}  // namespace tessera::workload
