// SPDX-License-Identifier: Apache-2.0
// The sizes of the core that are run in lockstep: each has a bound, or a shape of the tables, that the others have not.
#pragma once

#include <string>
#include <vector>

#include "model/spec/synthesis_spec.h"
#include "rtl_model/params.h"

namespace tessera::testbench {

struct Configuration {
  std::string name;
  std::string why;           // what it is there for
  rtl_model::Params params;  // sizes; latencies, policy and clock ratio are drawn anew for every reset
  bool has_linger = true;    // the core is built with hold-off, which episodes may then draw
  // Engines that the Verilog core has, a bit for each code; others are never asked for.
  std::uint32_t policies = spec::policy_mask(spec::Cores::kClocked);
};

// Small to large.
std::vector<Configuration> configurations();
// Throws std::invalid_argument that names those that there are.
Configuration configuration(const std::string& name);
// A core to be synthesised.
Configuration configuration(const spec::CoreSpec& core);
// Those of these names; all, if there are none.
std::vector<Configuration> configurations(const std::vector<std::string>& names);

}  // namespace tessera::testbench
