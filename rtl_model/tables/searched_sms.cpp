// SPDX-License-Identifier: Apache-2.0
// Partitions.
#include "rtl_model/tables/searched_sms.h"

namespace tessera::rtl_model {

SmSet SearchedSms::foreign() const {
  if (!in_partitions_) return {};
  return in_step(tables_.smst.maybe_foreign() & tables_.smst.claimed());
}

SmSet SearchedSms::in_step(const SmSet& sms) const {
  if (!in_partitions_) return sms;
  SmSet rest;
  sms.for_each([&](std::uint32_t sm) {
    if (tables_.partitions.is_of_step(tables_.smst.row(sm).partition)) rest.set(sm);
  });
  return rest;
}

}  // namespace tessera::rtl_model
