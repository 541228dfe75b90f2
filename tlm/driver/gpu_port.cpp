// SPDX-License-Identifier: Apache-2.0
// Blocking accesses of eight bytes, and of a command.
#include "tlm/driver/gpu_port.h"

#include <stdexcept>

#include "tlm/base/bus_access.h"
#include "tlm/driver/address_map.h"

namespace tessera::tlm_model {
namespace {

constexpr std::uint64_t context_register(std::uint32_t process, std::uint64_t word) {
  return reg::kContexts + process * reg::kContextStride + word;
}

}  // namespace

void GpuPort::write_register(std::uint64_t offset, std::uint64_t value) {
  write_memory(address_map::kGpuRegisters + offset, &value, sizeof(value));
}

std::uint64_t GpuPort::read_register(std::uint64_t offset) { return read_memory(address_map::kGpuRegisters + offset); }

void GpuPort::write_memory(std::uint64_t address, const void* data, std::uint64_t bytes) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  // A write transaction leaves its data alone.
  if (!access_bus(bus_isock, ::tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes, delay)) {
    throw std::logic_error("a write of the driver was refused");
  }
}

std::uint64_t GpuPort::read_memory(std::uint64_t address) {
  std::uint64_t value = 0;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (!access_bus(bus_isock, ::tlm::TLM_READ_COMMAND, address, &value, sizeof(value), delay)) {
    throw std::logic_error("a read of the driver was refused");
  }
  return value;
}

void GpuPort::set_priority(std::uint32_t process, std::uint32_t priority) {
  write_register(context_register(process, reg::kPriority), priority);
}

void GpuPort::set_tokens(std::uint32_t process, std::uint32_t tokens) {
  write_register(context_register(process, reg::kTokens), tokens);
}

void GpuPort::set_deadline(std::uint32_t process, Cycle cycles) {
  write_register(context_register(process, reg::kDeadline), cycles);
}

void GpuPort::set_partition(std::uint32_t process, std::uint32_t partition) {
  write_register(reg::kPartition + std::uint64_t{process} * 8, partition);
}

void GpuPort::set_sm_partition(std::uint32_t sm, std::uint32_t partition) {
  write_register(reg::kSmPartition + std::uint64_t{sm} * 8, partition);
}

void GpuPort::set_mask(std::uint32_t partition, const SmSet& sms) {
  for (std::uint32_t word = 0; word < SmSet::kMax / 64; ++word) {
    if (sms.word(word) == 0) continue;  // as it is after reset
    write_register(reg::kPartitionMask + partition * reg::kMaskStride + word * 8, sms.word(word));
  }
}

void GpuPort::set_held(std::uint32_t process, bool is_held) {
  write_register(reg::kHeld + std::uint64_t{process} * 8, is_held ? 1 : 0);
}

void GpuPort::set_slice_end(std::uint32_t process, spec::SliceEnd slice_end) {
  write_register(reg::kSliceEnd + std::uint64_t{process} * 8, static_cast<std::uint64_t>(slice_end));
}

void GpuPort::set_listed(std::uint32_t process, bool is_listed) {
  write_register(reg::kListed + std::uint64_t{process} * 8, is_listed ? 1 : 0);
}

void GpuPort::set_page_table(std::uint32_t process, std::uint64_t address) {
  write_register(context_register(process, reg::kPageTable), address);
}

}  // namespace tessera::tlm_model
