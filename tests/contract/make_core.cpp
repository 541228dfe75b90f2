// SPDX-License-Identifier: Apache-2.0
// The engine under test in this program: the clocked one, driven by one process.
#include "platform/clocked/clocked_core.h"
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {

std::unique_ptr<IExecutionCore> make_core(const spec::Spec& spec, record::RecordLog& log, PagedMemory*) {
  return std::make_unique<platform::ClockedCore>(spec, log, nullptr);
}

}  // namespace tessera::tlm_model::test
