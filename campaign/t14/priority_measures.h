// SPDX-License-Identifier: Apache-2.0
// What is observed of a workload whose first process has priority. Its application is the stratum.
#pragma once

#include <optional>
#include <string>

#include "campaign/measure.h"
#include "campaign/t14/studies.h"

namespace tessera::campaign::t14 {

// NTT of the high-priority process under one scheme over that under another; the applications of one class, or all.
Observe turnaround_gain(const Plan& plan, const Group& group, const std::string& from, const std::string& to,
                        std::optional<Class> only);

// A value of the whole workload, throughput or fairness, likewise.
Observe loss(const Group& group, const std::string& from, const std::string& to, double (Measurement::*value)() const);

}  // namespace tessera::campaign::t14
