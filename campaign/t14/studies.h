// SPDX-License-Identifier: Apache-2.0
// What [T14] section 4 compares: schedulers, techniques, numbers of processes, classes of applications.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "campaign/campaign.h"

namespace tessera::campaign::t14 {

inline constexpr std::string_view kPriorityStudy = "priority";  // 4.2 and 4.3
inline constexpr std::string_view kSharingStudy = "sharing";    // 4.4

inline constexpr std::string_view kDecisionStudy = "decision";  // not in the paper

inline constexpr std::uint32_t kNumProcesses[] = {2, 4, 6, 8};

// How long a policy search takes in the study of decisions, in cycles. The paper's is a row a cycle of 13 SMs.
inline constexpr std::uint32_t kPapersSearch = 13;
inline constexpr std::uint32_t kSearches[] = {1, kPapersSearch, 100, 1'000, 10'000};

enum class Class { kShort, kMedium, kLong };

// Table 1, by the application's name; the latter two throw std::out_of_range where the table has no such name.
bool is_classified(const std::string& application);
Class class_1(const std::string& application);  // by the time of its kernels
Class class_2(const std::string& application);  // by its own time

// How [T14] most likely let kernels go into debt, against the default (docs/concepts/readings.md, DSS 10 and 11).
inline const std::vector<std::string> kLimitedDebt{"scheduler.debt=gap", "scheduler.remainder=once"};

// Keys of the base's scheduler that a scheme does not name (search width, fill, ...) stay as they are.
Study priority_study(const spec::Spec& base);  // fcfs, npq, ppq: exclusive and shared, context switch and drain
Study sharing_study(const spec::Spec& base);   // fcfs, dss: context switch and drain

// The priority study's schemes with exclusive access, each with every search of kSearches. Durations of thread
// blocks and times alone stay those of the base's searches.
Study decision_study(const spec::Spec& base);
std::string with_search(const std::string& scheme, std::uint32_t search_cycles);  // the name of such a scheme

}  // namespace tessera::campaign::t14
