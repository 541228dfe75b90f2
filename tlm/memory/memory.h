// SPDX-License-Identifier: Apache-2.0
// A memory: a TLM-2.0 target over the bytes of a PagedMemory. It never calls wait(); its latency is added to the
// annotated delay. Byte enables are honoured; bursts have any length and alignment; responses as in
// tlm/base/memory_access.h.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <systemc>
#include <tlm>

#include "tlm/base/memory_access.h"
#include "tlm/memory/paged_memory.h"

namespace tessera::tlm_model {

class Memory : public sc_core::sc_module {
 public:
  // Called after every write over the bus that moves bytes, with the address of the first; may be empty.
  std::function<void(std::uint64_t address)> on_write;

  // Blocking, non-blocking (converted by the socket), debug and DMI.
  tlm_utils::simple_target_socket<Memory> bus_tsock;

  // Serves addresses 0 .. size_bytes - 1 of `bytes`, which must outlive the module. `latency` is added once to every
  // access that moves bytes, and to DMI latencies. DMI is granted one page at a time, for reading and writing; grants
  // are never invalidated.
  Memory(const sc_core::sc_module_name& name, PagedMemory& bytes, std::uint64_t size_bytes,
         const sc_core::sc_time& latency, bool allows_dmi);

 private:
  void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
  // Takes no time; moves the bytes that lie inside the memory and returns their number.
  unsigned int transport_dbg(tlm::tlm_generic_payload& trans);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);
  void move(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, std::uint64_t size);

  PagedMemory& bytes_;
  AccessRules rules_;
  sc_core::sc_time latency_;
};

}  // namespace tessera::tlm_model
