// SPDX-License-Identifier: Apache-2.0
// The execution core with one kernel and nothing else to do: its hot loop.
#pragma once

#include <cstdint>

#include "model/spec/spec_fwd.h"

namespace tessera::tlm_model::bench {

// Runs the kernel of a Spec made by one_kernel(), nobody listening for thread blocks; CPU seconds.
double run_one_kernel(const spec::Spec& spec);

}  // namespace tessera::tlm_model::bench

// The same from a second compilation of the engine, without the code that builds records of thread blocks
// (without_tb_records.h).
namespace tessera::tlm_model_without_tb_records::bench {
double run_one_kernel(const spec::Spec& spec);
}  // namespace tessera::tlm_model_without_tb_records::bench
