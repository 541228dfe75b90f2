// SPDX-License-Identifier: Apache-2.0
// The figures of [G16], and what goes beyond them: the simulations that each wants, and what it makes of their
// outcomes, in the same order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/g16/scenario.h"

namespace tessera::campaign::g16 {

// Figure 4: two instances of a workload against one alone.
std::vector<Scenario> fig4_scenarios();
std::vector<Figure> fig4_figures(const std::vector<Outcome>& outcomes);

// Beyond the paper: the same kernels under its token, under hardware preemption, and under both.
std::vector<Scenario> preemption_scenarios();
std::vector<Figure> preemption_figures(const std::vector<Outcome>& outcomes);

}  // namespace tessera::campaign::g16
