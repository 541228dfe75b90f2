// SPDX-License-Identifier: Apache-2.0
// What SMs do as slices of time, one after the other: for whoever draws or lists them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/record/record.h"
#include "model/record/trace/held_sm.h"
#include "model/record/trace/sm_phase.h"

namespace tessera::record {

// An SM that kernels share has so many parts, each with slices of its own: a kernel has as many of them as it holds of
// the SM.
inline constexpr std::uint32_t kPartsOfSharedSm = 8;

struct SmSlice {
  std::uint32_t sm = 0;
  std::uint32_t part = 0;  // 0 of an SM that is not shared
  Cycle begin = 0;
  Cycle end = 0;
  SmPhase phase = SmPhase::kIdle;    // never idle
  std::uint32_t launch = kNoNumber;  // of a shared SM (`dual_kernel`): the guest; its owner is that of the slice before
};

class ISmSliceListener {
 public:
  virtual ~ISmSliceListener() = default;
  // In order of begin within each part.
  virtual void sm_slice(const SmSlice& slice) = 0;
};

// How long after the start of an SM's set-up its first thread block runs; a restore that starts within
// `latest_restore` comes before any thread block.
struct SetUp {
  Cycle first_tb = 0;
  Cycle latest_restore = 0;
};

// Fed with the records of a log in their order, then finished.
class SmSlices {
 public:
  // `set_up` is used where the log has no records of thread blocks; none: it has them.
  SmSlices(std::uint32_t num_sms, const std::optional<SetUp>& set_up, ISmSliceListener& listener);

  // Uses records that name an SM, and kSmsWithheld; ignores others.
  void consume(const Record& record);
  void finish(Cycle end);  // what is open ends there

  std::uint32_t num_parts(std::uint32_t sm) const { return is_shared(sm) ? kPartsOfSharedSm : 1; }

 private:
  struct Open {  // a slice that has not ended
    SmPhase phase = SmPhase::kIdle;
    std::uint32_t launch = kNoNumber;
    Cycle since = 0;
  };
  struct Sm {
    SmState state;
    HeldSm held;  // where kernels share it
    Open whole;
    std::vector<Open> parts;  // of a shared one; else empty
  };

  bool is_shared(std::uint32_t sm) const { return !sms_.at(sm).parts.empty(); }
  void follow(std::uint32_t sm, const Record& record);
  void show(Open& open, std::uint32_t sm, std::uint32_t part, SmPhase phase, std::uint32_t launch, Cycle cycle);
  void end_set_up(Open& open, std::uint32_t sm, std::uint32_t part, SmPhase next, Cycle cycle);
  void show_parts(std::uint32_t sm, Cycle cycle);

  std::vector<Sm> sms_;
  std::optional<SetUp> set_up_;
  ISmSliceListener& listener_;
  bool has_thread_blocks_ = false;
};

}  // namespace tessera::record
