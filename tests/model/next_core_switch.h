// SPDX-License-Identifier: Apache-2.0
// For the life of the object, what is built and loaded is for the core that does one job at a time.
#pragma once

#include "model/spec/next_core.h"

namespace tessera::spec::test {

class WithNextCore {
 public:
  WithNextCore() { next_core_switch() = true; }
  WithNextCore(const WithNextCore&) = delete;
  WithNextCore& operator=(const WithNextCore&) = delete;
  ~WithNextCore() { next_core_switch() = was_wanted_; }

 private:
  bool was_wanted_ = is_next_core_wanted();
};

}  // namespace tessera::spec::test
