// SPDX-License-Identifier: Apache-2.0
// What is free on SMs that kernels share: what thread blocks take that run there, and for a while after they have ended
// (docs/concepts/shared_sms.md, Turnaround).
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/spec/gpu_spec.h"
#include "tlm/execution_engine/kernel_launch.h"
#include "tlm/execution_engine/sm_array/resources.h"

namespace tessera::tlm_model {

class SmRoom {
 public:
  // The place of a thread block that has ended.
  struct Left {
    Cycle free_from = 0;
    SmId sm{};
    KsrId kernel{};
    LaunchId launch{};  // the KSR may have become another's
    Resources resources;
    std::uint32_t share_ppm = 0;  // of an SM
  };

  explicit SmRoom(const spec::GpuSpec& gpu);

  // What each thread block of the kernel takes. An SM has at most `tbs_per_sm` of them at a time.
  void begin(KsrId kernel, LaunchId id, const KernelLaunch& launch, std::uint32_t tbs_per_sm);
  bool fits(SmId sm, KsrId kernel) const;
  // The class of its thread blocks at the dispatcher.
  std::uint32_t size_of(KsrId kernel) const { return kernels_[index(kernel)].size; }
  // What a thread block takes of an SM: of the resource of which it takes most.
  std::uint32_t share_ppm(KsrId kernel) const { return kernels_[index(kernel)].share_ppm; }
  void take(SmId sm, KsrId kernel);
  void give_back(SmId sm, KsrId kernel);  // at once: the thread block has been saved
  void ended(SmId sm, KsrId kernel, LaunchId launch, Cycle now);

  // When the next place becomes free of those whose thread blocks have ended; kNever: there is none.
  Cycle next() const;
  // Calls `back(left)` for those that are free by now.
  template <typename Back>
  void take_back(Cycle now, Back back);

 private:
  struct OfKernel {
    Resources per_tb;
    std::uint32_t most_per_sm = 0;
    std::uint32_t size = 0;  // its class at the dispatcher
    LaunchId id{};
    std::uint32_t share_ppm = 0;
  };
  void give_back(const Left& left);
  std::uint16_t& num_on(SmId sm, KsrId kernel) { return num_on_[index(kernel) * free_.size() + index(sm)]; }
  std::uint16_t num_on(SmId sm, KsrId kernel) const { return num_on_[index(kernel) * free_.size() + index(sm)]; }

  const spec::GpuSpec& gpu_;
  std::vector<Resources> free_;            // by SM
  std::vector<OfKernel> kernels_;          // by KSR
  std::vector<std::uint16_t> num_on_;      // thread blocks by KSR and SM
  std::vector<std::deque<Left>> leaving_;  // by class, each with a turnaround of its own
};

template <typename Back>
void SmRoom::take_back(Cycle now, Back back) {
  for (std::deque<Left>& of_size : leaving_) {
    for (; !of_size.empty() && of_size.front().free_from <= now; of_size.pop_front()) {
      give_back(of_size.front());
      back(of_size.front());
    }
  }
}

}  // namespace tessera::tlm_model
