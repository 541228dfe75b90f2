// SPDX-License-Identifier: Apache-2.0
// The tables and figures of [T14]. Values bear the paper's numbers where it prints them.
#pragma once

#include "campaign/campaign.h"
#include "campaign/figure.h"

namespace tessera::campaign::t14 {

Figure fig5(const Plan& plan, const Results& results);  // turnaround of the high-priority process (4.2)
Figure fig6(const Plan& plan, const Results& results);  // throughput that preemption costs (4.3)
Figure fig7(const Plan& plan, const Results& results);  // turnaround, fairness, throughput of equal sharing (4.4)
Figure fig8(const Plan& plan, const Results& results);  // ANTT of every workload (4.4)

// Not in the paper: the wait for a preempted SM, by the high-priority application. What it is made of, and how it is
// distributed.
Figure latency(const Plan& plan, const Results& results);
Figure latency_distribution(const Plan& plan, const Results& results);

// Not in the paper: the priority study with searches of kSearches. What preemption gains over the FCFS of the
// paper's searches, and what each scheme loses against itself with those.
Figure decision(const Plan& plan, const Results& results);
Figure decision_cost(const Plan& plan, const Results& results);

// Every kernel alone; and three kernels under three schedulers (2.4). Both simulate, and add to `violations`; they
// throw std::runtime_error when a kernel does not end.
Figure table1(const spec::Spec& base, const Options& options, std::vector<std::string>& violations);
Figure fig2(const spec::Spec& base, const Options& options, std::vector<std::string>& violations);
Figure sram(const spec::Spec& base);  // storage of the scheduling framework (3.3)

// Fig. 8's "significantly": FCFS's ANTT is at least so many times that of DSS.
inline constexpr double kSignificant = 1.25;
inline constexpr double kLower = 1.1;  // what other thresholds would show
inline constexpr double kHigher = 1.5;

}  // namespace tessera::campaign::t14
