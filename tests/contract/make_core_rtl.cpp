// SPDX-License-Identifier: Apache-2.0
// The engine under test in this program: the clocked one, with the Verilog core in it.
#include "platform/clocked/clocked_core.h"
#include "platform/clocked/verilated_scheduler.h"
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {

std::unique_ptr<IExecutionCore> make_core(const spec::Spec& spec, record::RecordLog& log, PagedMemory*) {
  return std::make_unique<platform::ClockedCore>(spec, log, nullptr, platform::verilated_scheduler(false));
}

}  // namespace tessera::tlm_model::test
