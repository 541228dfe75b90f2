// SPDX-License-Identifier: Apache-2.0
// The GPU for a virtual platform of your own: the one header that it includes (docs/hardware/register_map.md, In your
// own platform). It needs SystemC and the two headers beside it: what a driver writes into rings and registers.
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

// What a GPU is built of. Wrong input throws std::invalid_argument, a line for each mistake in any of the files:
// `file:line:column: key: what is wrong (value; what is allowed)`.
class GpuDescription {
 public:
  // A GPU file: the machine, with so many GPU contexts, first come, first served.
  static GpuDescription of_gpu(const std::filesystem::path& file, std::uint32_t num_contexts = 1);
  // An experiment: its machine and scheduler, a GPU context for each of its processes, whose programs do not run.
  // Overrides are `key=value`, as after `tessera run --set`.
  static GpuDescription of_experiment(const std::filesystem::path& file,
                                      const std::vector<std::string>& overrides = {});

 private:
  friend class Gpu;
  explicit GpuDescription(spec::Spec spec);

  std::shared_ptr<const spec::Spec> spec_;
};

// Of the preemptions by one technique that are done; latencies are from request to end.
struct PreemptionSummary {
  std::string technique;  // "context_switch", "drain", ...
  std::uint64_t count = 0;
  double mean_latency_cycles = 0;
  std::uint64_t max_latency_cycles = 0;
  std::uint64_t bytes_saved = 0;
  std::uint64_t bytes_restored = 0;
};

struct GpuSummary {
  std::uint64_t cycles = 0;  // simulated, of the GPU's clock
  std::uint64_t thread_blocks = 0;
  std::uint64_t busy_sm_cycles = 0;
  std::uint64_t policy_invocations = 0;
  std::vector<PreemptionSummary> preemptions;
  std::vector<std::string> broken_invariants;  // of the model, with the first violation; none: it is sound
};

class Gpu : public sc_core::sc_module {
 public:
  // kRunAhead simulates up to the next thing that is pending in SystemC, in one go. kStepwise is slower, and for a
  // platform that is woken from outside of SystemC (async_request_update).
  enum class Pace { kRunAhead, kStepwise };

  Gpu(const sc_core::sc_module_name& name, const GpuDescription& description, Pace pace = Pace::kRunAhead);
  ~Gpu() override;

  // To be bound.
  ::tlm::tlm_target_socket<>& registers_tsock();         // tlm_model::reg::kSize bytes
  ::tlm::tlm_target_socket<>& device_memory_tsock();     // tlm_model::reg::kDeviceMemoryBytes
  ::tlm::tlm_initiator_socket<>& system_memory_isock();  // fetches, fences, copies
  sc_core::sc_out<bool>& irq_o();

  // Before sc_start(T): the end of a slice is nothing that is pending, and the GPU would run beyond it.
  void set_end(const sc_core::sc_time& end);
  // Once, when the simulation is over: what happened until now.
  GpuSummary finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tessera
