// SPDX-License-Identifier: Apache-2.0
// GCAPS on the machine (ECRTS 2024): only the process of the highest priority that has GPU work is on the run list. A
// segment of GPU work begins with a call that submits where nothing is outstanding, and ends with the one that finds
// all of it done; a change of the list costs the process that makes the call.
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>
#include <vector>

#include "model/command_scheduling/run_list.h"
#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"
#include "tlm/driver/i_driver.h"
#include "tlm/driver/pass_through.h"

namespace tessera::tlm_model {

class GcapsDriver final : public IDriver {
 public:
  GcapsDriver(const spec::Spec& spec, GpuPort& gpu, InterruptService& interrupts, record::RecordLog& log);

  void open(std::uint32_t process) override;
  void submit(std::uint32_t process, std::uint32_t stream, const Work& work, bool ends_group) override;
  void synchronise(std::uint32_t process, std::optional<std::uint32_t> stream) override;
  void record_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) override;
  void await_event(std::uint32_t process, std::uint32_t event, std::uint32_t stream) override;
  void synchronise_event(std::uint32_t process, std::uint32_t event) override;

 private:
  using TaskId = command_scheduling::TaskId;
  struct Request {
    Cycle cycle = 0;
    std::uint32_t process = 0;
  };

  void end_segment(std::uint32_t process);
  // In the thread of the process, one process at a time.
  void set_ready(std::uint32_t process, bool is_ready);
  bool is_next(std::uint32_t process) const;
  void update(std::uint32_t process);
  void note_listing(std::uint32_t process);
  void emit(record::Kind kind, std::uint32_t process, Cycle cycles);

  const spec::Spec& spec_;
  GpuPort& gpu_;
  InterruptService& interrupts_;
  record::RecordLog& log_;
  CycleTime time_;
  Cycle update_cycles_;
  PassThrough pass_through_;
  command_scheduling::RunList run_list_;
  std::vector<std::optional<Cycle>> suspended_;  // by process: since when
  std::vector<Request> requests_;                // that wait, or whose change is under way
  bool is_updating_ = false;
  sc_core::sc_event updated_;
};

}  // namespace tessera::tlm_model
