// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/equivalence.h"

#include <fmt/format.h>

#include <string>

#include "cosim/core_builder.h"
#include "cosim/temporary_folder.h"
#include "cosim/text_file.h"
#include "cosim/tool.h"

namespace tessera::testbench {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMaxSeconds = 20;
constexpr const char* kProofScript = "prove.ys";

// Registers become ports, so that what is left has no state; names of nets go first, since each would be a port, and
// nets are split: a register of which a bit is constant is none to `expose`.
std::string script(const Mutant& mutant, const fs::path& design) {
  return fmt::format(
      "read_rtlil {}\n"
      "copy tsr_scheduler gate\n"
      "rename tsr_scheduler gold\n"
      "mutate -mode {} -module gate -cell {} -port {} -portbit {} -ctrlbit {}\n"
      "setattr -unset keep w:*\n"
      "memory_map\n"
      "dffunmap\n"
      "opt_clean -purge\n"
      "splitnets\n"
      "expose -evert-dff t:*dff* t:*dff* %co1:+[Q] w:* %i %u\n"
      "opt_clean\n"
      "miter -equiv -flatten -make_assert gold gate miter\n"
      "hierarchy -top miter\n"
      "opt -full\n"
      "sat -verify -prove-asserts -timeout {} miter\n",
      design.string(), mutant.mode, mutant.cell_name, mutant.port, mutant.bit, mutant.control_bit, kMaxSeconds);
}

}  // namespace

bool is_proved_equivalent(const Mutant& mutant, const fs::path& design) {
  const cosim::TemporaryFolder folder("mutant");
  cosim::write_text(folder.path() / kProofScript, script(mutant, design));
  try {
    cosim::run_tools({{"yosys", "-q", "-s", kProofScript}}, folder.path());
  } catch (const cosim::BuildError&) {
    return false;
  }
  return true;
}

}  // namespace tessera::testbench
