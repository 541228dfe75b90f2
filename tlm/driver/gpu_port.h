// SPDX-License-Identifier: Apache-2.0
// The driver's access to the GPU's registers and to system memory over the bus, with the registers that the OS may
// write while kernels run.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <systemc>

#include "model/base/sm_set.h"
#include "model/base/time.h"
#include "model/spec/scheduler_spec.h"
#include "tessera/register_map.h"

namespace tessera::tlm_model {

// Writes are posted and take no time for the writer. Throws std::logic_error if an access is refused.
class GpuPort : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<GpuPort> bus_isock;

  explicit GpuPort(const sc_core::sc_module_name& name) : sc_module(name), bus_isock("bus_isock") {}

  void write_register(std::uint64_t offset, std::uint64_t value);
  std::uint64_t read_register(std::uint64_t offset);
  void write_memory(std::uint64_t address, const void* data, std::uint64_t bytes);
  std::uint64_t read_memory(std::uint64_t address);

  void set_priority(std::uint32_t process, std::uint32_t priority);
  void set_tokens(std::uint32_t process, std::uint32_t tokens);
  void set_deadline(std::uint32_t process, Cycle cycles);
  void set_partition(std::uint32_t process, std::uint32_t partition);
  void set_sm_partition(std::uint32_t sm, std::uint32_t partition);
  void set_mask(std::uint32_t partition, const SmSet& sms);
  void set_held(std::uint32_t process, bool is_held);
  std::uint64_t held(std::uint32_t process) { return read_register(reg::kHeld + 8 * std::uint64_t{process}); }
  std::uint64_t sm_cycles(std::uint32_t process) { return read_register(reg::kSmCycles + 8 * std::uint64_t{process}); }
  void set_slice_end(std::uint32_t process, spec::SliceEnd slice_end);
  void set_listed(std::uint32_t process, bool is_listed);  // on the run list
  void set_page_table(std::uint32_t process, std::uint64_t address);
};

}  // namespace tessera::tlm_model
