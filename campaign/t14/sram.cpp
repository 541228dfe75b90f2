// SPDX-License-Identifier: Apache-2.0
// What the framework stores on chip ([T14] 3.3), and two more numbers of the hardware sections.
#include <fmt/format.h>

#include "campaign/t14/figures.h"
#include "campaign/t14/paper_values.h"
#include "model/spec/search_cycles.h"
#include "model/storage/framework_storage.h"

namespace tessera::campaign::t14 {
namespace {

// Registers and the largest shared memory of as many SMs as "up to 44 us" fits, decimal kilobytes, out and in again.
double full_context_us(const spec::GpuSpec& gpu) {
  constexpr double kSmsOfTheFullChip = 15;  // GK110; the K20c has 13 of them
  constexpr double kBytesPerSm = (256 + 48) * 1e3;
  return 2 * kSmsOfTheFullChip * kBytesPerSm * 1e6 / static_cast<double>(gpu.memory_bandwidth_bytes_per_s);
}

}  // namespace

Figure sram(const spec::Spec& base) {
  Figure figure;
  figure.name = "t14-sram";
  figure.title = "Storage of the scheduling framework";
  const std::vector<storage::Structure> structures = storage::framework_structures(storage::CoreSizes(base.gpu));
  for (const char* name : {"command_buffers", "active_queue", "ksrt", "smst"}) {
    figure.values.push_back(value_of("bytes", name, "", storage::structure(structures, name).bytes()));
  }
  const double others = static_cast<double>(storage::table_bits(structures)) / 8;
  const double ptbq = storage::structure(structures, "ptbq").bytes();
  figure.values.push_back(value_of("bytes", "ptbq", "", ptbq, kPtbqBytes));
  const double search =
      static_cast<double>(spec::search_core_cycles(base)) / static_cast<double>(base.scheduler.tbs_per_cycle);
  figure.values.push_back(value_of("cycles", "search", "", search, kSearchCycles));
  figure.values.push_back(value_of("us", "full context out and in", "", full_context_us(base.gpu), kFullContextUs));
  figure.orderings.push_back({"command buffers, active queue, KSRT and SMST take less than 0.5 KB together",
                              others < kOtherStructuresBytesBelow, fmt::format("{:.1f} bytes", others)});
  figure.orderings.push_back(
      {"the PTBQs take 21 KB (21,632 bytes)", ptbq == kPtbqBytes, fmt::format("{:.0f} bytes", ptbq)});
  figure.notes.emplace_back(
      "The full context is that of the GK110's 15 SMs with 256 KB and 48 KB each, whatever machine is configured: the "
      "print's 44 us fits nothing else. The rest is that of the configured machine.");
  return figure;
}

}  // namespace tessera::campaign::t14
