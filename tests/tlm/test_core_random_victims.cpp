// SPDX-License-Identifier: Apache-2.0
// Random experiments with techniques that choose victims ([S16]): thread blocks flushed, switched and drained side by
// side, two kernels on an SM, retargeting, token changes and both techniques in turn.
#include "tests/tlm/random_engine.h"

namespace tessera::tlm_model::test {
namespace {

const std::vector<spec::TechniqueKind> kVictimTechniques{spec::TechniqueKind::kChimera,
                                                         spec::TechniqueKind::kDualKernel};

RC_GTEST_PROP(CoreRandomVictims, EveryKernelFinishesAndEveryInvariantHolds, ()) {
  expect_that_all_finishes(ExperimentMaker(kVictimTechniques).make());
}

RC_GTEST_PROP(CoreRandomVictims, TheLogDoesNotDependOnWhoWatchesOrHowFarTheEngineRunsAhead, ()) {
  expect_one_log(ExperimentMaker(kVictimTechniques).make());
}

}  // namespace
}  // namespace tessera::tlm_model::test
