// SPDX-License-Identifier: Apache-2.0
// Writes the record log from the scheduler's pins and the SMs' events, and checks the invariants. It does not read
// registers of the core, so it works for the Verilog core too.
#pragma once

#include <utility>
#include <vector>

#include "model/record/checks/invariant_monitor.h"
#include "model/record/record_log.h"
#include "model/record/sm_meter.h"
#include "rtl_model/interfaces/i_sm_observer.h"
#include "rtl_model/interfaces/i_watcher.h"

namespace tessera::rtl_model {

// A finished kernel; `now` is the cycle in which its last TB was counted.
struct FinishedKernel {
  std::uint64_t descriptor = 0;
  Cycle now = 0;
};

class Recorder final : public ISmObserver, public IWatcher {
 public:
  Recorder(const Params& params, record::RecordLog& log, record::InvariantMonitor* monitor);
  // Call before the first cycle.
  void attach(const IWatchedEngine& engine) { engine_ = &engine; }

  // Finished kernels; the reader clears them.
  std::vector<FinishedKernel> finished;

  // An SM or kernel has changed hands, so the registers should be checked again.
  bool has_changed_hands() const { return has_changed_hands_; }
  void finish(Cycle end);

  bool wants_every_cycle() const override { return false; }
  void watch(const ClockCount& clock) override;

  void tb_issued(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle start) override;
  void tb_finished(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle now) override;
  void handle_sent(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb) override;
  void tb_restored(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, const std::optional<std::string>& mismatch,
                   Cycle now) override;
  void told_to_stop(std::uint32_t sm, bool flushes) override;
  void tb_flushed(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle now) override;
  void sm_flushed(std::uint32_t sm, std::uint32_t count, Cycle lost, Cycle now) override;
  void tb_restarted(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle start) override;
  void tbs_stopped(std::uint32_t sm, std::uint32_t count, Cycle now) override;
  void save_started(std::uint32_t sm, std::uint64_t bytes, Cycle now) override;
  void restore_started(std::uint32_t sm, std::uint64_t bytes, Cycle now) override;
  void restore_done(std::uint32_t sm, std::uint64_t bytes, Cycle cycles, Cycle now) override;
  void loop_resumed(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, cooperative::Position steps,
                    std::uint64_t bytes, Cycle now) override;
  void loop_left(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, cooperative::Position steps,
                 std::uint64_t bytes, Cycle now) override;
  void io_requested(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, const cooperative::Step& io,
                    Cycle now) override;

 private:
  // An SM's state as derived from the pins.
  struct SmView {
    Launch launch;  // launch of the TBs it holds
    std::uint32_t ksr = 0;
    bool is_owned = false;
    bool is_reserved = false;
    record::Technique technique = record::Technique::kNone;
    Cycle reserved_at = 0;
    std::uint64_t saved_bytes = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> saved;  // slot and TB of the handles sent
    std::uint32_t flushed = 0;                                   // flushed TBs whose handles come with these
    std::uint32_t residents = 0;
    record::SmMeter meter;
    std::vector<Cycle> starts;  // [slot]: start of its latest TB
  };
  struct KernelView {
    Launch launch;
    bool is_active = false;
    std::uint32_t tbs_per_sm = 0;
    std::uint32_t fresh_tbs = 0;     // fresh TBs sent to SMs
    Cycle last_fresh_start = 0;      // of these
    Cycle none_waits_from = kNever;  // from when on no TB waits for a slot; kNever: one does
    std::uint32_t finished_tbs = 0;
    std::uint32_t open_saves = 0;    // TBs saved and not restored
    std::uint32_t open_flushes = 0;  // TBs flushed and not restarted
    std::uint64_t loop_bytes = 0;    // state written by its loops
  };

  void command_accepted(Cycle now);
  void activated(const EventPins& events, Cycle now);
  void moved(const EventPins& events, Cycle now);
  void evicted(Cycle now);
  void turn_changed(const EventPins& events, Cycle now);
  void preemption_requested(std::uint32_t sm, record::Technique technique, std::uint64_t reserved_for, Cycle now);
  void preemption_over(const EventPins& events, Cycle now);
  void kernel_finished(Cycle now);
  void loops_left(const KernelView& kernel, Cycle now);
  void emit_loop(record::Kind kind, std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, cooperative::Position steps,
                 std::uint64_t bytes, Cycle now);
  void tbs_saved(std::uint32_t sm, Cycle now);
  void set_up(std::uint32_t sm, std::uint32_t ksr, Cycle now);
  void released(std::uint32_t sm, Cycle now);
  void sms_withheld(bool is_any, Cycle now);
  void start_running(SmView& sm, std::uint32_t slot, Cycle start);
  void wait_again(KernelView& kernel, Cycle now);
  void report_use(std::uint32_t sm, Cycle now, Cycle to_come = 0);
  void check_residents(std::uint32_t sm);
  record::Record about_kernel(record::Kind kind, const Launch& launch, Cycle now) const;
  record::Record about_sm(record::Kind kind, std::uint32_t sm, Cycle now) const;
  void emit_tb(record::Kind kind, std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle at, std::uint64_t bytes,
               Cycle now);

  record::RecordLog& log_;
  record::InvariantMonitor* monitor_;
  const IWatchedEngine* engine_ = nullptr;
  std::uint32_t max_tbs_per_sm_;
  std::uint32_t num_sms_;
  record::Technique technique_;             // from the policy register
  std::vector<spec::SliceEnd> slice_ends_;  // by context, from its register
  std::optional<Cycle> turn_passed_at_;     // last
  bool is_turn_passed_ = false;             // and did not begin yet
  std::vector<SmView> sms_;
  std::vector<KernelView> kernels_;               // by KSR
  std::vector<std::uint64_t> buffer_descriptor_;  // by command buffer
  std::vector<std::uint32_t> buffer_tbs_per_sm_;  // likewise
  Cycle invoked_at_ = 0;
  Cycle until_first_move_ = 0;    // of the current invocation; 0: none yet
  bool is_any_withheld_ = false;  // an SM has been withheld since the last decision
  bool has_changed_hands_ = false;
  bool gives_ = false;  // an assign has given SMs, and not yet counted them
};

}  // namespace tessera::rtl_model
