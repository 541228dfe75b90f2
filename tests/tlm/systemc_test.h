// SPDX-License-Identifier: Apache-2.0
// A test with a simulation: a SystemC report fails it, and so does a simulation that ends before its stimulus.
// SystemC elaborates once a process, so each test needs a process of its own (gtest_discover_tests).
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <systemc>

namespace tessera::tlm_model {

class SystemCTest : public ::testing::Test {
 protected:
  SystemCTest() { sc_core::sc_report_handler::set_handler(&SystemCTest::fail); }
  ~SystemCTest() override { sc_core::sc_report_handler::set_handler(nullptr); }

  // Runs the stimulus as a thread process until nothing is left to simulate.
  static void simulate(const std::function<void()>& stimulus) {
    constexpr int kStackBytes = 1 << 20;  // assertions and sanitizers need more than SystemC's default
    bool is_finished = false;
    sc_core::sc_spawn_options options;
    options.set_stack_size(kStackBytes);
    const auto body = [&] {
      stimulus();
      is_finished = true;
    };
    sc_core::sc_spawn(body, "stimulus", &options);
    sc_core::sc_start();
    EXPECT_TRUE(is_finished) << "the simulation ended at " << sc_core::sc_time_stamp() << ", before its stimulus";
  }

 private:
  // "Simulation stopped by user" is the one report that is no complaint.
  static void fail(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    const bool is_stop_notice =
        report.get_severity() == sc_core::SC_INFO && std::string(report.get_msg_type()) == "/OSCI/SystemC";
    if (!is_stop_notice) ADD_FAILURE() << report.what();
    sc_core::sc_report_handler::default_handler(report, actions);
  }
};

}  // namespace tessera::tlm_model
