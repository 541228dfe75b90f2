// SPDX-License-Identifier: Apache-2.0
// SMs that kernels share (docs/concepts/shared_sms.md): thread blocks have room, places stay taken for a turnaround,
// and who was taken off comes back to its slot. Internal to the log checker.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "verification/log_check/complaints.h"
#include "verification/log_check/ledger.h"

namespace tessera::verification::log_check {

class SharedChecks {
 public:
  SharedChecks(Ledger& ledger, Complaints& complaints)
      : ledger_(ledger), complaints_(complaints), left_(ledger.sms.size()) {}

  void visit_tb(const record::Record& record, Sm& sm, Launch& launch);
  void visit_sm(const record::Record& record, Sm& sm);

 private:
  // A thread block that has ended, whose place is not free yet.
  struct Left {
    Cycle free_from = 0;
    std::uint32_t launch = record::kNoNumber;
  };
  using Place = std::pair<std::uint16_t, std::uint16_t>;  // SM, slot

  bool take_from_slot(const record::Record& record, Sm& sm, TbState becomes, Launch& launch);
  void put_into_slot(const record::Record& record, Sm& sm, Launch& launch);
  void check_room(const record::Record& record, const Sm& sm);
  void check_partition(const record::Record& record, const Launch& launch);
  void busy(const record::Record& record, Sm& sm);
  void slots(const record::Record& record, Sm& sm);
  void requested(const record::Record& record, Sm& sm);
  void done(const record::Record& record, Sm& sm);

  Ledger& ledger_;
  Complaints& complaints_;
  std::vector<std::vector<Left>> left_;                                // by SM
  std::map<std::pair<std::uint32_t, std::uint32_t>, Place> saved_at_;  // [launch, TB]
};

}  // namespace tessera::verification::log_check
