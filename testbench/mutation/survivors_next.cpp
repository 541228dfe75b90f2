// SPDX-License-Identifier: Apache-2.0
// Survivors of rtl_next/.
#include "testbench/mutation/survivor_rules.h"

namespace tessera::testbench {

const std::vector<SurvivorRule>& survivor_rules_of_next_core() {
  static const std::vector<SurvivorRule> kRules{};
  return kRules;
}

}  // namespace tessera::testbench
