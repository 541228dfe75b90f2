// SPDX-License-Identifier: Apache-2.0
// Keys that figures of several papers set or look at.
#pragma once

#include "campaign/reproduction.h"

namespace tessera::campaign {

inline const Keys kWayKeys{"scheduler.policy", "scheduler.technique", "baseline.**"};  // who gets SMs, and how
inline const Keys kGpuKeys{"gpu", "gpu.**", "framework.**"};

inline Keys joined(Keys keys, const Keys& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

}  // namespace tessera::campaign
