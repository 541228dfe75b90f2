// SPDX-License-Identifier: Apache-2.0
// GLoop on the host ([G16] 3.2.1, 4.1): the thread that launches an event-driven kernel runs its host event loop until
// all device loops are done, and acquires a token before every launch. Ordinary work passes through. Without a token
// (driver: pass_through) event-driven kernels are launched as they come.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "model/cooperative/token_scheduler.h"
#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/driver/i_driver.h"
#include "tlm/driver/pass_through.h"
#include "tlm/driver/rpc_memory.h"
#include "tlm/host/disk.h"
#include "tlm/host/io_server.h"

namespace tessera::tlm_model {

// Requests and releases of cycle c are processed in c + 1, releases first, then requests by process, so that nothing
// depends on the order in which SystemC runs the processes.
class GloopDriver final : public sc_core::sc_module, public IDriver, private cooperative::ITokenObserver {
 public:
  GloopDriver(const sc_core::sc_module_name& name, const spec::Spec& spec, GpuPort& gpu, InterruptService& interrupts,
              RpcMemory& rpc, record::RecordLog& log);

  void open(std::uint32_t process) override;
  void submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) override;
  void synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) override;
  void record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) override;
  void await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) override;
  void synchronise_event(std::uint32_t process, std::uint32_t event) override;

 private:
  struct HostLoop {
    std::unique_ptr<IoServer> io_server;  // null without I/O
    std::uint32_t launches = 0;           // of event-driven kernels so far
    std::uint32_t loops_left = 0;         // loops that the last launch left undone
    bool is_killed = false;
    Cycle granted_at = kNever;  // kNever: it has no token
    sc_core::sc_event granted;
  };
  struct Change {
    Cycle cycle = 0;
    std::uint32_t process = 0;
    bool is_release = false;
  };

  // The host event loop of a process.
  const spec::EventDrivenSpec* loops_of(std::uint32_t process, const Work& work) const;
  void run_loops(std::uint32_t process, std::uint32_t stream, const Work& work, const spec::EventDrivenSpec& loops);
  void write_program(std::uint32_t process, const spec::EventDrivenSpec& loops, std::uint32_t spread_ppm);
  void wait_until_some_io_is_done(std::uint32_t process, std::uint64_t served_before);
  // Until what the I/O server has served makes it false.
  void wait_while(std::uint32_t process, const std::function<bool()>& waits_for_io);
  void take_request(const LoopRequest& request);
  void acquire(std::uint32_t process);
  void release(std::uint32_t process);
  // The GLoop scheduler.
  void note_change(std::uint32_t process, bool is_release);
  void schedule();
  void take_changes(Cycle until);
  void report_grant(Cycle now);
  void on_granted(cooperative::Session session, Cycle waited, Cycle at) override;
  void on_told_to_yield(cooperative::Session session, Cycle held) override;
  void on_killed(cooperative::Session session) override;
  void on_revoked(cooperative::Session session, Cycle held) override;
  void emit(record::Kind kind, std::uint32_t process, Cycle at, Cycle cycles = 0);

  const spec::Spec& spec_;
  GpuPort& gpu_;
  InterruptService& interrupts_;
  RpcMemory& rpc_;
  record::RecordLog& log_;
  CycleTime time_;
  bool has_token_;
  bool preempts_;
  PassThrough pass_through_;
  std::unique_ptr<Disk> u_disk_;
  std::deque<HostLoop> host_loops_;  // by process; a deque, since events do not move
  cooperative::TokenScheduler token_;
  // The latest grant, whose switch is under way. A process that lost the token and got it back while its kernel was
  // still on the GPU may leave before the switch ends.
  struct Grant {
    std::uint32_t process = 0;
    Cycle at = kNever;
    Cycle waited = 0;
  };
  Grant grant_;
  std::vector<Change> changes_;  // not yet processed
  sc_core::sc_event schedule_event_;
};

}  // namespace tessera::tlm_model
