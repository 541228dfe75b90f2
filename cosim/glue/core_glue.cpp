// SPDX-License-Identifier: Apache-2.0
// IVerilatedCore on one Verilated model. core_config.h, generated beside the model, has the numbers of its elaboration.
#include <memory>
#include <utility>

#include "Vtsr_core.h"
#include "core_config.h"
#include "cosim/glue/clocks.h"
#include "cosim/glue/messages.h"
#include "cosim/glue/packed.h"
#include "cosim/glue/pin_binding.h"
#include "cosim/glue/wave.h"
#include "cosim/i_verilated_core.h"
#if TESSERA_HAS_REGISTERS
#include "cosim/glue/late_start.h"
#include "cosim/glue/register_view.h"
#endif
#if VM_COVERAGE
#include <verilated_cov.h>
#endif

namespace tessera::cosim {
namespace {

class VerilatedCore final : public IVerilatedCore {
 public:
  VerilatedCore() { context_->traceEverOn(VM_TRACE_FST != 0); }
  ~VerilatedCore() override {
    wave_.close();
    top_->final();
    // Scopes are erased from the thread's context, which may be that of a core that is gone.
    Verilated::threadContextp(context_.get());
  }

  void reset(const Straps& straps) override {
    tie_off(*top_, straps);
    rtl_model::SchedulerInputs none;
    none.lists_change = true;  // else they would stay on the pins
    drive(*top_, none);
    top_->rst_ni = 0;
    top_->eval();  // the first one takes the clock as it is: no edge
    raise_all_clocks(*top_);
    edge();
    top_->rst_ni = 1;
    is_quiet_ = false;  // what follows from this input is not worked out yet
    show(*top_, outputs_);
  }

  void cycle(const rtl_model::SchedulerInputs& inputs) override {
    const bool was_quiet = std::exchange(is_quiet_, !inputs.any());
    const bool are_same = is_quiet_ && was_quiet && top_->sm_tick_i == inputs.sm_tick;
    if (!are_same) drive(*top_, inputs);
    if (wave_.is_waiting()) dump_wave();
    raise_clocks(*top_, inputs);
    edge(are_same);
    show(*top_, outputs_);
  }

  const rtl_model::SchedulerOutputs& outputs() const override { return outputs_; }

  bool has_registers() const override { return TESSERA_HAS_REGISTERS != 0; }
  void read(rtl_model::CoreSnapshot& snapshot) override {
#if TESSERA_HAS_REGISTERS
    read_registers(*top_->rootp, snapshot);
#else
    static_cast<void>(snapshot);
#endif
  }

  bool start_late(std::uint32_t ksr, std::uint32_t num_tbs) override {
#if TESSERA_HAS_REGISTERS
    is_quiet_ = false;  // what follows from these registers is not worked out yet
    start_kernel_late(*top_->rootp, ksr, num_tbs);
    return true;
#else
    return IVerilatedCore::start_late(ksr, num_tbs);
#endif
  }

  bool open_wave(const std::string& path, std::vector<WaveSignal> extra) override {
    return wave_.open(*top_, path, std::move(extra));
  }
  void sample(std::uint64_t time_ps) override {
    if (wave_.is_waiting()) dump_wave_at_rest();
    wave_.keep(time_ps);
  }
  void close_wave() override {
    if (wave_.is_waiting()) dump_wave_at_rest();
    wave_.close();
  }

  void write_coverage(const std::string& path) override {
#if VM_COVERAGE
    context_->coveragep()->write(path.c_str());
#else
    static_cast<void>(path);
#endif
  }

  std::string take_assertion_failure() override { return std::exchange(failure_, {}); }

 private:
  // Registers take what the inputs of this cycle make of them. Nothing happens at the falling edge, and evaluating it
  // costs a tenth of a cycle. Coverage wants to see the clocks fall.
  void edge(bool has_same_inputs = false) {
    if (has_same_inputs) {
      eval_with_same_inputs(*top_);
    } else {
      top_->eval();
    }
    lower_clocks(*top_);
    if (VM_COVERAGE || !forget_clocks(*top_->rootp, 0)) top_->eval();
    if constexpr (TESSERA_HAS_ASSERTIONS) note_assertions();
  }

  void note_assertions() {
    context_->timeInc(1);
    std::string& messages = verilator_messages();
    if (messages.empty()) return;
    if (failure_.empty()) failure_ = messages.substr(0, messages.find_last_not_of('\n') + 1);
    messages.clear();
  }

  void dump_wave() {
    top_->eval();  // what follows from the inputs
    wave_.dump();
  }
  // The clock did not run in the cycle that was to be kept.
  void dump_wave_at_rest() {
    drive(*top_, {});
    dump_wave();
  }

  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Vtsr_core> top_ = std::make_unique<Vtsr_core>(context_.get(), "top");
  rtl_model::SchedulerOutputs outputs_;
  bool is_quiet_ = false;  // no input was valid in the last cycle
  Wave wave_;
  std::string failure_;
};

}  // namespace
}  // namespace tessera::cosim

extern "C" [[gnu::visibility("default")]] tessera::cosim::IVerilatedCore* make_verilated_core() {
  return new tessera::cosim::VerilatedCore;
}
