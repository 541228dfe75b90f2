// SPDX-License-Identifier: Apache-2.0
// The data-transfer engine ([T14] 2.2): one queue, one transfer at a time (or one per direction), in order of
// arrival or of priority.
#pragma once

#include <systemc>
#include <vector>

#include "model/base/ids.h"
#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/interconnect/link_traffic.h"
#include "tlm/interconnect/pcie_link.h"

namespace tessera::tlm_model {

struct DmaTransfer {
  QueueId queue{};
  std::uint32_t node = 0;     // node within a graph command
  std::uint16_t process = 0;  // for the record
  std::uint32_t priority = 0;
  bool is_to_host = false;
  bool moves_bytes = false;  // false: takes its time only
  std::uint64_t source = 0;
  std::uint64_t destination = 0;
  std::uint64_t bytes = 0;
};

// The user of the DMA engine.
class IDmaClient {
 public:
  // Its bytes are on the link from now on.
  virtual void transfer_started() = 0;
  // Moves the bytes of a transfer that ends now.
  virtual void move_bytes(const DmaTransfer& transfer) = 0;
  virtual void transfer_done(const DmaTransfer& transfer) = 0;

 protected:
  ~IDmaClient() = default;
};

class DmaEngine : public sc_core::sc_module {
 public:
  // `link`: the PCIe link shared with messages; null: copies do not contend with messages.
  DmaEngine(const sc_core::sc_module_name& name, const spec::GpuSpec& gpu, spec::DmaPolicy policy,
            record::RecordLog& log, IDmaClient& client, LinkTraffic* link);

  // The transfer may be chosen from the next cycle on, so the order of SystemC processes within a cycle does not
  // matter.
  void submit(const DmaTransfer& transfer);
  bool is_busy() const;

 private:
  struct Waiting {
    DmaTransfer transfer;
    Cycle stamp = 0;
  };
  struct Engine {
    DmaTransfer transfer;
    Cycle end = kNever;  // before delays by messages; kNever: engine is free
  };
  void run();
  void end_transfers();
  void start_transfers(Cycle now);
  Cycle end_of(const Engine& engine) const;
  static LinkDirection direction_of(const DmaTransfer& transfer);
  bool serves(std::size_t engine, const DmaTransfer& transfer) const;
  bool goes_before(const Waiting& a, const Waiting& b) const;
  void schedule(Cycle now);
  void emit(record::Kind kind, const DmaTransfer& transfer, Cycle now);

  CycleTime time_;
  PcieLink pcie_;
  record::RecordLog& log_;
  IDmaClient& client_;
  LinkTraffic* link_;
  bool is_by_priority_;
  std::vector<Engine> engines_;
  std::vector<Waiting> waiting_;
  sc_core::sc_event advance_event_;
};

}  // namespace tessera::tlm_model
