// SPDX-License-Identifier: Apache-2.0
// Which SMs a search may give or take (docs/hardware/timing.md 5.4, 5.8), by the tables of a cycle: under
// static_partition only those of the step's partition.
#pragma once

#include "rtl_model/tables/tables.h"

namespace tessera::rtl_model {

// What JUDGE sees of them, from the cycle before.
struct SeenSms {
  bool is_any_idle = false;
  bool is_any_free = false;  // idle, and not kept by a hold-off
  bool is_any_foreign = false;
};

class SearchedSms {
 public:
  SearchedSms(const Tables& tables, bool in_partitions) : tables_(tables), in_partitions_(in_partitions) {}

  SmSet idle() const { return in_step(tables_.smst.idle().without(tables_.set_up_tags.used_up())); }
  SmSet free() const { return tables_.linger.is_on() ? idle().without(tables_.linger.kept()) : idle(); }
  // Idle ones that a kernel of this priority may have: those that are kept are for the hold-off's, and higher ones.
  SmSet idle_for(std::uint32_t priority) const { return priority >= tables_.linger.priority() ? idle() : free(); }
  // SMs that count against this kernel.
  SmSet of(std::uint32_t ksr) const { return in_step(tables_.smst.counting_against(ksr)); }
  // SMs that count against a kernel of another partition, or might.
  SmSet foreign() const;
  SeenSms seen() const { return {idle().any(), free().any(), foreign().any()}; }

 private:
  SmSet in_step(const SmSet& sms) const;

  const Tables& tables_;
  bool in_partitions_;
};

}  // namespace tessera::rtl_model
