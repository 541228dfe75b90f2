// SPDX-License-Identifier: Apache-2.0
// How fast the recorded machine was at what every operation needs: calls, hand-overs, copies.
#pragma once

#include <optional>

#include "importer/workload.h"

namespace tessera::importer {

// Of launches and copies: what a call takes at least on recent machines, unless a profile shows calls closer than that.
// What calls took beyond it is CPU time of the application. Nor does a call take longer than what was queued when the
// recording began can wait for.
inline constexpr Nanoseconds kUsualCall = 3'000;
Nanoseconds recorded_call(const Profile& profile, const Workload& workload);

// From the end of a kernel to the start of the next one of its stream: the mean where that was queued long before;
// where few were, what others show to be possible, at most 1 us. None: too few of either.
std::optional<Nanoseconds> recorded_hand_over(const Profile& profile, const Workload& workload);

// From the end of a graph's nodes to the next one: the mean. None: no graph was launched. A profiler stretches it.
std::optional<Nanoseconds> recorded_graph_gap(const Profile& profile, const Workload& workload);

// Of copies between host and GPU that the host did not wait for, in bytes per us, each way. None: too few were
// recorded.
std::optional<double> recorded_copy_rate(const Profile& profile, const Workload& workload);

}  // namespace tessera::importer
