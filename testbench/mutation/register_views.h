// SPDX-License-Identifier: Apache-2.0
// Registers of a flat netlist, where cosim/glue looks for those of rtl/: a module for each unit, which only shows them.
// So mutants are compared register for register, too. The words in the PTBQ's memory are not shown.
#pragma once

#include <string>
#include <vector>

#include "cosim/elaboration.h"

namespace tessera::testbench {

// The unit of registers that stand in tsr_scheduler itself.
constexpr const char* kTopUnit = "scheduler";

struct RegisterName {
  std::string unit;  // "ksrt": module tsr_ksrt, instance u_ksrt
  std::string name;
  std::string scopes;  // in the unit: "g_large.u_part", empty where it is one of the unit itself

  std::string path() const { return scopes.empty() ? name : scopes + "." + name; }
  std::string net() const { return "u_" + unit + "." + path(); }  // in the flat netlist
};

// From the text of rtl/lint/public.vlt: those of a core with these parameters.
std::vector<RegisterName> listed_registers(const std::string& settings, const cosim::Elaboration& elaboration);

// The netlist, with the views in it, and with the parameters of rtl/tsr_scheduler.v (which it ignores).
std::string with_register_views(const std::string& netlist, const std::vector<RegisterName>& registers,
                                const cosim::Elaboration& elaboration);

}  // namespace tessera::testbench
