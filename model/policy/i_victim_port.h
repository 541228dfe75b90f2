// SPDX-License-Identifier: Apache-2.0
// Interface between policy and preemption technique: the policy determines the preemptible SMs, the technique picks the
// cheapest of them ([S16] 3.3).
#pragma once

#include "model/base/ids.h"
#include "model/base/sm_set.h"

namespace tessera::policy {

class IVictimPort {
 public:
  virtual ~IVictimPort() = default;

  // Chooses one of these running SMs for `next`. Requires at least one candidate; does not change the tables.
  virtual SmId choose(const SmSet& candidates, KsrId next) const = 0;

  // exclusive_scope: all. Whether `next` gets SMs that its TBs without an SM do not need.
  virtual bool takes_more(KsrId next) const = 0;
};

}  // namespace tessera::policy
