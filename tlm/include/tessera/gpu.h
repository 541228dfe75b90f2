// SPDX-License-Identifier: Apache-2.0
// The GPU for a virtual platform of your own: the only header to include (docs/hardware/register_map.md, In your own
// platform). Requires SystemC. The two other headers in this directory define what a driver writes into rings and
// registers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "tessera/command_format.h"
#include "tessera/register_map.h"

namespace tessera {

namespace spec {
struct Spec;
}

// Configuration from which a Gpu is built. Invalid input throws std::invalid_argument whose text has one line per
// mistake in any of the files: `file:line:column: key: what is wrong (value; what is allowed)`.
class GpuDescription {
 public:
  // From a GPU file: the machine with `num_contexts` GPU contexts, scheduled first come, first served.
  static GpuDescription of_gpu(const std::filesystem::path& file, std::uint32_t num_contexts = 1);
  // From an experiment: its machine and scheduler, with one GPU context per process; the processes' programs do not
  // run. Overrides are `key=value`, as after `tessera run --set`.
  static GpuDescription of_experiment(const std::filesystem::path& file,
                                      const std::vector<std::string>& overrides = {});

 private:
  friend class Gpu;
  explicit GpuDescription(spec::Spec spec);

  std::shared_ptr<const spec::Spec> spec_;
};

// Completed preemptions by one technique. Latency counts from the request to the end of the preemption.
struct PreemptionSummary {
  std::string technique;  // "context_switch", "drain", ...
  std::uint64_t count = 0;
  double mean_latency_cycles = 0;
  std::uint64_t max_latency_cycles = 0;
  std::uint64_t bytes_saved = 0;
  std::uint64_t bytes_restored = 0;
};

struct GpuSummary {
  std::uint64_t cycles = 0;  // simulated GPU clock cycles
  std::uint64_t thread_blocks = 0;
  std::uint64_t busy_sm_cycles = 0;
  std::uint64_t policy_invocations = 0;
  std::vector<PreemptionSummary> preemptions;
  std::vector<std::string> broken_invariants;  // each with its first violation; empty: none was violated
};

class Gpu : public sc_core::sc_module {
 public:
  // kRunAhead simulates up to the next pending SystemC event in one go. kStepwise is slower; it is required where
  // something outside SystemC can wake the platform (async_request_update).
  enum class Pace { kRunAhead, kStepwise };

  Gpu(const sc_core::sc_module_name& name, const GpuDescription& description, Pace pace = Pace::kRunAhead);
  ~Gpu() override;

  // The platform must bind all of these.
  ::tlm::tlm_target_socket<>& registers_tsock();         // tlm_model::reg::kSize bytes
  ::tlm::tlm_target_socket<>& device_memory_tsock();     // tlm_model::reg::kDeviceMemoryBytes
  ::tlm::tlm_initiator_socket<>& system_memory_isock();  // fetches, fences, copies
  sc_core::sc_out<bool>& irq_o();

  // Call before sc_start(T): the end of T is not a pending event, so the GPU would otherwise run past it.
  void set_end(const sc_core::sc_time& end);
  // Returns the summary of the run. Call once, when the simulation is over.
  GpuSummary finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tessera
