// SPDX-License-Identifier: Apache-2.0
// SMs that kernels share, with hosts: what follows a kernel while another stream's runs (docs/concepts/shared_sms.md).
#include "tests/platform/timegraph_machine.h"

namespace tessera::platform::test {
namespace {

constexpr Cycle kNodeGap = 29;
constexpr Cycle kBesideOthers = 1'700;

spec::Spec shared_platform() {
  spec::Spec spec = tiny_platform(2);
  spec.gpu.framework.engine = spec::Engine::kIdeal;
  spec.gpu.framework.refill_lane = false;
  spec.gpu.framework.setup_tag_bits = 0;
  spec.gpu.framework.sm_sharing = spec::SmSharing::kKernels;
  spec.gpu.framework.dispatcher = {{spec.gpu.max_threads_per_sm, spec.gpu.clock_hz, 5}};
  spec.gpu.framework.graph_dispatch_cycles = kNodeGap;
  spec.gpu.framework.beside_others_cycles = kBesideOthers;
  spec.scheduler.policy = spec::PolicyKind::kNpq;
  spec.scheduler.fill = spec::Fill::kBreadthFirst;
  return spec;
}

// A graph of two nodes in stream 1, and perhaps a long kernel in stream 2. From the end of the first node to the
// second.
Cycle gap_between_nodes(spec::SmSharing sharing, bool is_beside_another) {
  spec::Spec spec = shared_platform();
  spec.gpu.framework.sm_sharing = sharing;
  std::vector<spec::HostStep> steps;
  if (is_beside_another) steps.push_back(launch(2, 2));
  steps.push_back(spec::Graph{{launch(0), launch(1)}, 1, std::nullopt});
  add_process(spec, {kernel_of("first", 1, 9'000), kernel_of("second", 1, 9'000), kernel_of("other", 1, 900'000)},
              steps);
  const Log log = simulate_checked(spec, {});
  return log.when(Kind::kKernelArrived, 0, 1) - log.when(Kind::kKernelFinished, 0, 0);
}

TEST(SharedSms, AKernelFollowsAnotherLaterWhileOneOfAnotherQueueRuns) {
  for (const spec::SmSharing sharing : {spec::SmSharing::kKernels, spec::SmSharing::kOneKernel}) {
    EXPECT_EQ(gap_between_nodes(sharing, false), kNodeGap + 1);
    EXPECT_EQ(gap_between_nodes(sharing, true), kNodeGap + kBesideOthers + 1);
  }
}

}  // namespace
}  // namespace tessera::platform::test
