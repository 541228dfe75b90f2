// SPDX-License-Identifier: Apache-2.0
// The engine under test in this program: the transaction-level one.
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {

std::unique_ptr<IExecutionCore> make_core(const spec::Spec& spec, record::RecordLog& log, PagedMemory* context_bytes) {
  return std::make_unique<ExecutionCore>(spec, log, context_bytes);
}

}  // namespace tessera::tlm_model::test
