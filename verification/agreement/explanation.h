// SPDX-License-Identifier: Apache-2.0
// Why may a kernel take another time in the other log? An explanation holds for the kernels it can reach, for as long
// as it can act: until the engine is empty, and from then on while kernels arrive at other distances from each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verification/agreement/inner_events.h"
#include "verification/agreement/log_summary.h"

namespace tessera::verification {

// The n-th launch of a process.
struct LaunchRef {
  std::uint16_t process = record::kNoIndex;
  std::size_t nth = 0;
};

// A kernel that took another time, and where in the logs that may have come from.
struct Late {
  LaunchRef ref;
  Span tlm;
  Span clocked;
};

class Explanations {
 public:
  // The summaries outlive this object; launches are paired by their position.
  Explanations(InnerEvents tlm, InnerEvents clocked, const LogSummary& tlm_summary, const LogSummary& clocked_summary);

  bool any_event() const { return tlm_events_.any() || clocked_events_.any(); }
  // Of a difference that is no kernel's, between these cycles of either log.
  std::string of_span(const Span& tlm, const Span& clocked) const;
  // Empty if nothing reaches the kernel:
  // 1. an event inside a decision of either log, since the engine was last empty and before the kernel finishes;
  // 2. a kernel beside it that arrives earlier or later in the other log, seen from this one;
  // 3. a TB that was issued to another SM at about the same time, of a kernel that loses SMs, or of one beside it:
  //    SMs become free at other times; or into another slot, of a kernel whose contexts are saved: slots decide in
  //    which order they come back.
  std::string of(const Late& late) const;

 private:
  bool is_beside(const LaunchRef& other, const Late& late) const;
  std::string of_arrivals(const Late& late) const;
  std::string of_places(const Late& late) const;

  const LogSummary& tlm_;
  const LogSummary& clocked_;
  InnerEvents tlm_events_;
  InnerEvents clocked_events_;
};

}  // namespace tessera::verification
