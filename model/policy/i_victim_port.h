// SPDX-License-Identifier: Apache-2.0
// Where a policy ends and a preemption technique begins: the policy says which SMs may be taken from their kernels, the
// technique which of them costs least ([S16] 3.3).
#pragma once

#include "model/base/ids.h"
#include "model/base/sm_set.h"

namespace tessera::policy {

class IVictimPort {
 public:
  virtual ~IVictimPort() = default;

  // The one of these running SMs that `next` shall get. There is at least one; the tables stay as they are.
  virtual SmId choose(const SmSet& candidates, KsrId next) const = 0;

  // exclusive_scope: all. Shall `next` have SMs that its uncovered TBs do not need?
  virtual bool takes_more(KsrId next) const = 0;
};

}  // namespace tessera::policy
