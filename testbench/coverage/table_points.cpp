// SPDX-License-Identifier: Apache-2.0
// Tables: each one full and empty, counters at their bounds, tokens and their pool, the PTBQ's rings.
#include "testbench/coverage/core_coverage.h"

namespace tessera::testbench {
namespace {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here

class TablePoints final : public ICoverGroup {
 public:
  explicit TablePoints(Coverage& coverage) : coverage_(coverage) {}

  void reset(const Params& params) override { num_pushed_.assign(params.num_ksrs, 0); }

  void sample(const CycleView& now) override {
    if (!now.has_changed) return;
    sample_commands(now);
    sample_kernels(now);
    sample_sms(now);
    sample_pool(now);
    if (now.in.handle.valid) sample_handle(now);
  }

 private:
  void sample_commands(const CycleView& now) {
    std::uint32_t num_waiting = 0;
    for (std::uint32_t buffer = 0; buffer < now.params.num_command_buffers; ++buffer) {
      num_waiting += now.out.buffer_free.has(buffer) ? 0 : 1;
    }
    coverage_.hit_if(buffers_empty_, num_waiting == 0);
    coverage_.hit_if(buffers_full_, num_waiting == now.params.num_command_buffers);
    const CommandPins& command = now.in.command;
    if (!command.valid) return;
    coverage_.hit_if(buffer_reused_, now.out.events.activated && now.out.events.activated_buffer == command.buffer);
    coverage_.hit_if(one_tb_, command.num_tbs == 1);
    coverage_.hit_if(huge_, command.num_tbs > now.params.max_num_tbs() / 2);
    coverage_.hit_if(one_per_sm_, command.tbs_per_sm == 1 && now.params.max_tbs_per_sm > 1);
    coverage_.hit_if(all_per_sm_, command.tbs_per_sm == now.params.max_tbs_per_sm);
  }
  void sample_kernels(const CycleView& now) {
    const ActiveQueue& queue = now.tables.active_queue;
    coverage_.hit_if(queue_empty_, queue.size() == 0);
    coverage_.hit_if(queue_full_, queue.is_full());
    for (std::uint32_t i = 0; i < queue.size(); ++i) {
      const KsrRow& row = now.tables.ksrt.row(queue.at(i));
      coverage_.hit_if(debt_, row.held() > row.tokens);
      coverage_.hit_if(no_tokens_, row.tokens == 0);
      coverage_.hit_if(pool_token_, row.has_pool_token);
      coverage_.hit_if(ring_full_, row.preempted == now.params.ptbq_depth);
      coverage_.hit_if(all_owned_, row.owned == now.params.num_sms);
      coverage_.hit_if(all_reserved_, row.reserved == now.params.num_sms);
      coverage_.hit_if(preempted_and_fresh_, row.preempted != 0 && row.remaining != 0);
      coverage_.hit_if(last_handles_, row.preempted != 0 && row.remaining == 0);
      const bool is_later = i + 1 < queue.size() && queue.at(i) > queue.at(i + 1);
      coverage_.hit_if(queue_out_of_order_, is_later);
    }
  }
  void sample_sms(const CycleView& now) {
    const auto all = [&](SmState state) {
      for (std::uint32_t sm = 0; sm < now.params.num_sms; ++sm) {
        if (now.tables.smst.row(sm).state != state) return false;
      }
      return true;
    };
    coverage_.hit_if(sms_idle_, all(SmState::kIdle));
    coverage_.hit_if(sms_running_, all(SmState::kRunning));
    coverage_.hit_if(sms_reserved_, all(SmState::kReserved));
  }
  void sample_pool(const CycleView& now) {
    if (now.params.token_pool == 0) return;
    const std::uint32_t pool = now.search.pool;
    const std::uint32_t before = now.before.search.pool;
    const bool is_by_process = (now.policy >> 6 & 1) != 0;
    coverage_.hit_if(pool_empty_, pool == 0);
    coverage_.hit_if(pool_full_, pool == now.params.token_pool);
    coverage_.hit_if(is_by_process ? taken_by_process_ : taken_by_kernel_, pool < before);
    coverage_.hit_if(is_by_process ? returned_by_process_ : returned_by_kernel_, pool > before);
    const ControlPins& written = now.before.in.control;
    const bool is_budget = written.valid && written.reg == ControlRegister::kTokens;
    coverage_.hit_if(pool_from_write_, is_budget && pool > before);
    coverage_.hit_if(pool_steps_, is_budget && pool > before + 1);
  }
  void sample_handle(const CycleView& now) {
    const std::uint32_t ksr = now.tables.smst.row(now.in.handle.sm).ksr;
    if (ksr >= num_pushed_.size()) return;
    // Pointers of a ring are never set back but by a reset.
    coverage_.hit_if(ring_wrapped_, ++num_pushed_[ksr] > now.params.ptbq_depth);
    coverage_.hit_if(write_and_read_, now.out.dispatch.valid && now.out.dispatch.is_restore);
  }

  Coverage& coverage_;
  std::vector<std::uint64_t> num_pushed_;  // handles since reset, by KSR

  const Coverage::Id buffers_empty_ = coverage_.add("command_buffers.empty", "no command waits");
  const Coverage::Id buffers_full_ = coverage_.add("command_buffers.full", "no buffer is free");
  const Coverage::Id buffer_reused_ =
      coverage_.add("command_buffers.reused_at_once", "a command in the cycle in which its buffer becomes free");
  const Coverage::Id one_tb_ = coverage_.add("command.one_tb", "a kernel of one TB");
  const Coverage::Id huge_ = coverage_.add("command.most_tbs", "a kernel whose number of TBs needs all bits");
  const Coverage::Id one_per_sm_ = coverage_.add("command.one_tb_per_sm", "a kernel with one TB an SM, where more fit");
  const Coverage::Id all_per_sm_ = coverage_.add("command.t_max_per_sm", "a kernel that takes all slots of an SM");
  const Coverage::Id queue_empty_ = coverage_.add("active_queue.empty", "no kernel is active");
  const Coverage::Id queue_full_ = coverage_.add("active_queue.full", "all KSRs are in use");
  const Coverage::Id queue_out_of_order_ =
      coverage_.add("active_queue.out_of_ksr_order", "an entry with a higher KSR goes before a lower one");
  const Coverage::Id debt_ = coverage_.add("tokens.debt", "a kernel holds more SMs than it has tokens");
  const Coverage::Id no_tokens_ = coverage_.add("tokens.none", "a kernel has a budget of 0");
  const Coverage::Id pool_token_ = coverage_.add("tokens.from_pool", "a kernel's budget has a token of the pool in it");
  const Coverage::Id ring_full_ = coverage_.add("ptbq.ring_full", "as many handles as a ring holds");
  const Coverage::Id ring_wrapped_ = coverage_.add("ptbq.ring_wrapped", "a ring's tail has come round");
  const Coverage::Id write_and_read_ = coverage_.add("ptbq.in_and_out", "a handle comes in while one goes out");
  const Coverage::Id all_owned_ = coverage_.add("ksrt.owns_all_sms", "one kernel owns all SMs");
  const Coverage::Id all_reserved_ =
      coverage_.add("ksrt.all_sms_reserved_for_one", "all SMs are reserved for one kernel");
  const Coverage::Id preempted_and_fresh_ =
      coverage_.add("ksrt.preempted_and_fresh", "a kernel has handles and TBs that were never issued");
  const Coverage::Id last_handles_ =
      coverage_.add("ksrt.only_handles", "a kernel has handles, and no fresh TB any more");
  const Coverage::Id sms_idle_ = coverage_.add("smst.all_idle", "all SMs are idle");
  const Coverage::Id sms_running_ = coverage_.add("smst.all_running", "all SMs run");
  const Coverage::Id sms_reserved_ = coverage_.add("smst.all_reserved", "all SMs are reserved");
  const Coverage::Id pool_empty_ = coverage_.add("pool.empty", "all tokens of the pool are taken");
  const Coverage::Id pool_full_ = coverage_.add("pool.full", "no token of the pool is taken");
  const Coverage::Id taken_by_kernel_ = coverage_.add("pool.taken_by_kernel", "token scope kernel: one is taken");
  const Coverage::Id taken_by_process_ = coverage_.add("pool.taken_by_process", "token scope process: one is taken");
  const Coverage::Id returned_by_kernel_ = coverage_.add("pool.returned_by_kernel", "token scope kernel: one returns");
  const Coverage::Id returned_by_process_ =
      coverage_.add("pool.returned_by_process", "token scope process: one returns");
  const Coverage::Id pool_from_write_ = coverage_.add("pool.returned_by_write", "a tokens write returns tokens");
  const Coverage::Id pool_steps_ = coverage_.add("pool.several_return", "a tokens write returns several at once");
};

}  // namespace

std::unique_ptr<ICoverGroup> table_points(Coverage& coverage) { return std::make_unique<TablePoints>(coverage); }

}  // namespace tessera::testbench
