// SPDX-License-Identifier: Apache-2.0
// The four transport calls of the memory.
#include "tlm/memory/memory.h"

#include <algorithm>
#include <limits>

namespace tessera::tlm_model {

Memory::Memory(const sc_core::sc_module_name& name, PagedMemory& bytes, std::uint64_t size_bytes,
               const sc_core::sc_time& latency, bool allows_dmi)
    : sc_module(name), bus_tsock("bus_tsock"), bytes_(bytes), latency_(latency) {
  rules_.size_bytes = size_bytes;
  rules_.allows_dmi = allows_dmi;
  bus_tsock.register_b_transport(this, &Memory::b_transport);
  bus_tsock.register_transport_dbg(this, &Memory::transport_dbg);
  bus_tsock.register_get_direct_mem_ptr(this, &Memory::get_direct_mem_ptr);
}

void Memory::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
  if (!accept_access(trans, rules_)) return;
  delay += latency_;
  const tlm::tlm_command command = trans.get_command();
  for_each_enabled_run(trans, [this, command](std::uint64_t address, std::uint8_t* data, std::uint64_t size) {
    move(command, address, data, size);
  });
  if (command == tlm::TLM_WRITE_COMMAND && on_write) on_write(trans.get_address());
}

unsigned int Memory::transport_dbg(tlm::tlm_generic_payload& trans) {
  const unsigned int length = debug_length(trans, rules_);
  move(trans.get_command(), trans.get_address(), trans.get_data_ptr(), length);
  return length;
}

bool Memory::get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
  constexpr std::uint64_t kLastAddress = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t address = trans.get_address();
  if (!rules_.allows_dmi || address >= rules_.size_bytes) {
    deny_dmi(dmi, rules_.allows_dmi ? rules_.size_bytes : 0, kLastAddress);
    return false;
  }
  const std::uint64_t first = address - address % PagedMemory::kPageBytes;
  dmi.set_dmi_ptr(bytes_.page(address));
  dmi.set_start_address(first);
  dmi.set_end_address(first + std::min(PagedMemory::kPageBytes, rules_.size_bytes - first) - 1);
  dmi.allow_read_write();
  dmi.set_read_latency(dmi.get_read_latency() + latency_);
  dmi.set_write_latency(dmi.get_write_latency() + latency_);
  return true;
}

void Memory::move(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::uint64_t size) {
  if (command == tlm::TLM_READ_COMMAND) {
    bytes_.read(address, data, size);
  } else {
    bytes_.write(address, data, size);
  }
}

}  // namespace tessera::tlm_model
