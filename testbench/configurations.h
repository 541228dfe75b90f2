// SPDX-License-Identifier: Apache-2.0
// The sizes of the core that are run in lockstep: each has a bound, or a shape of the tables, that the others have not.
#pragma once

#include <string>
#include <vector>

#include "rtl_model/params.h"

namespace tessera::testbench {

struct Configuration {
  std::string name;
  std::string why;           // what it is there for
  rtl_model::Params params;  // sizes; latencies, policy and clock ratio are drawn anew for every reset
};

// Small to large.
std::vector<Configuration> configurations();
// Throws std::invalid_argument that names those that there are.
Configuration configuration(const std::string& name);
// Those of these names; all, if there are none.
std::vector<Configuration> configurations(const std::vector<std::string>& names);

}  // namespace tessera::testbench
