// SPDX-License-Identifier: Apache-2.0
// A core with parity, in whose memories single bits go wrong (flipping_sram.sv), beside its clocked model, in which
// none does: up to the stop every pin is the model's, and then the core says no more. Ends with status 1 at the first
// claim that does not hold. Arguments: a mistake in the core or 0, a part of the names of the memories that are to be
// tried, and how often each of their bits is.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/scheduler/tsr_scheduler.h"
#include "tests/rtl/verilog_core.h"
#include "tests/scheduler/compare.h"
#include "tests/scheduler/traffic.h"

namespace {

struct Memory {
  std::string name;
  int width;
};
std::vector<Memory> memories;

constexpr int kNoMemory = -1;

// The bit that goes wrong, and in which of the next reads of its memory.
struct Flip {
  int memory = kNoMemory;
  int bit = 0;
  std::uint64_t reads_before = 0;
  bool has_happened = false;
};
Flip flip;

}  // namespace

extern "C" int number_of_memory(const char* name, int width) {
  const std::string path(name);
  const std::string inside = path.substr(path.find("tsr_scheduler.") + std::string("tsr_scheduler.").size());
  for (std::size_t i = 0; i < memories.size(); ++i) {
    if (memories[i].name == inside) return static_cast<int>(i);
  }
  memories.push_back({inside, width});
  return static_cast<int>(memories.size()) - 1;
}

extern "C" int wrong_bit_of_read(int memory) {
  if (memory != flip.memory || flip.has_happened || flip.reads_before-- != 0) return -1;
  flip.has_happened = true;
  return flip.bit;
}

namespace tessera::rtl_model::test {
namespace {

constexpr std::uint64_t kCycles = 3000, kCyclesAfterwards = 300, kMaxSeeds = 60;

// A core, its model and the traffic of both.
class Pair {
 public:
  Pair(std::uint64_t seed, int fault)
      : random_(seed),
        params_(params_of_build(random_)),
        profile_(TrafficProfile::random(random_, seed, params_)),
        verilog_(params_, fault) {
    begin();
  }

  void run(std::uint64_t cycles) {
    for (std::uint64_t t = 0; t < cycles; ++t) {
      expect(compare_pins(model_->outputs()).empty(), "without a wrong bit: " + compare_pins(model_->outputs()));
      step(traffic_->drive(verilog_.outputs()));
      expect(!verilog_.has_stopped(), "stops, and no bit was wrong");
    }
  }

  // One bit at a time, until one stops the core; false: none did, nor did any leave a trace.
  bool stops(int memory, int bit) {
    const auto plan = [&](std::uint64_t most) { flip = {memory, bit, random_.in(0, most), false}; };
    plan(60);
    for (std::uint64_t t = 0; t < kCycles; ++t) {
      const bool is_wrong = flip.has_happened;  // in this cycle's word
      if (is_wrong) plan(20);
      SchedulerOutputs expected = model_->outputs();
      const bool hides = is_wrong && expected.dispatch.valid && expected.dispatch.is_restore &&
                         memories[memory].name == "u_ptbq.u_handles";
      if (hides) expected.dispatch = {};
      const std::string differences = compare_pins(expected);
      expect(differences.empty(), differences);
      const bool is_idle = verilog_.outputs().idle;
      step(hides ? SchedulerInputs{} : traffic_->drive(verilog_.outputs()));
      if (verilog_.has_stopped()) {
        expect(is_wrong, "stops, and no bit was wrong");
        expect(!is_idle, "its clock may not stop before it has");
        return true;
      }
      expect(!hides, "hides a handle, and goes on");
    }
    return false;
  }

  // Whatever it is told; only reset ends it.
  void expect_silence() {
    flip = {};
    for (std::uint64_t t = 0; t < kCyclesAfterwards; ++t) {
      const SchedulerOutputs out = verilog_.outputs();
      expect(verilog_.has_stopped() && out.idle, "has stopped, and starts again");
      expect(!out.control_ready && !out.sm_event_ready && !out.buffer_free.any(), "has stopped, and takes something");
      expect(!out.sm_control.valid && !out.dispatch.valid && !out.kernel_done.valid && !out.events.any() &&
                 !out.slice_timer_enable,
             "has stopped, and says something");
      verilog_.step(any_inputs());
    }
  }

  void recover() {
    verilog_.reset();
    begin();
    run(kCyclesAfterwards);
  }

  // A kernel of a context whose page table was never written is set up all the same.
  void set_up_without_page_table() {
    SchedulerInputs in;
    in.command = {true, 0, 0, 0, 1, 1, 1, false, 0};
    for (int t = 0; t < 200; ++t) {
      verilog_.step(in);
      in = {};
      if (verilog_.outputs().sm_control.valid) return;
      expect(!verilog_.has_stopped(), "stops for a page table that nobody has written");
    }
    expect(false, "no set-up");
  }

 private:
  void begin() {
    traffic_.emplace(params_, profile_);
    model_.emplace(params_);
  }

  std::string compare_pins(const SchedulerOutputs& expected) {
    return compare(expected, verilog_.outputs(), params_.num_command_buffers);
  }

  void step(const SchedulerInputs& in) {
    model_->step(in);
    verilog_.step(in);
  }

  SchedulerInputs any_inputs() {
    SchedulerInputs in;
    in.slice_tick = random_.one_in(4);
    in.sm_tick = random_.one_in(2);
    in.command = {random_.one_in(2), random_.in32(0, params_.num_command_buffers - 1), 0, 0, 1, 1, 1, false, 0};
    in.control = {random_.one_in(2), static_cast<ControlRegister>(random_.in32(0, 3)), 0, random_.in(0, 7)};
    in.sm_event = {random_.one_in(2), random_.in32(0, params_.num_sms - 1),
                   static_cast<SmEventKind>(random_.in32(0, 3))};
    in.handle.valid = random_.one_in(2);
    in.handle.sm = random_.in32(0, params_.num_sms - 1);
    return in;
  }

  Random random_;
  const CoreParams params_;
  const TrafficProfile profile_;
  std::optional<Traffic> traffic_;
  std::optional<TsrScheduler> model_;
  VerilogCore verilog_;
};

void expect_stop(int memory, int bit, int fault, std::uint64_t round) {
  const std::uint64_t first = 1 + static_cast<std::uint64_t>(bit) + 1000 * round;  // another moment for each
  for (std::uint64_t seed = first; seed < first + kMaxSeeds; ++seed) {
    Pair pair(seed, fault);
    if (!pair.stops(memory, bit)) continue;
    pair.expect_silence();
    pair.recover();
    return;
  }
  throw Fault("does not stop");
}

// In the memories whose name has this part.
void run(int fault, const std::string& part, int rounds) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) Pair(seed, fault).run(kCycles);
  Pair(1, fault).set_up_without_page_table();
  for (int memory = 0; memory < static_cast<int>(memories.size()); ++memory) {
    const auto& [name, width] = memories[memory];
    if (name.find(part) == std::string::npos) continue;
    for (int i = 0; i < width * rounds; ++i) {
      const int bit = i % width;
      try {
        expect_stop(memory, bit, fault, static_cast<std::uint64_t>(i / width));
      } catch (const std::exception& error) {
        throw Fault(name + ", bit " + std::to_string(bit) + ": " + error.what());
      }
    }
    std::printf("%s: %d bits\n", name.c_str(), width);
  }
}

}  // namespace
}  // namespace tessera::rtl_model::test

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  try {
    tessera::rtl_model::test::run(std::atoi(argv[1]), argv[2], std::atoi(argv[3]));
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  return 0;
}
