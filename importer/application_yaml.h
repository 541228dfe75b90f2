// SPDX-License-Identifier: Apache-2.0
// Kernels and host program as an application file that a person can read: loops, several steps to a line.
#pragma once

#include <cstdint>
#include <string>

#include "importer/host_program.h"
#include "importer/kernel_groups.h"

namespace tessera::importer {

struct ApplicationText {
  std::string text;
  std::uint64_t num_lines = 0;
  std::uint64_t num_loops = 0;
  std::size_t num_waits_altered = 0;  // program_tree.h
};

struct ApplicationStyle {
  std::string name;
  std::string remark;            // a comment at its head
  bool is_exact = false;         // every launch stands by itself
  Nanoseconds min_cpu = 20'000;  // shorter CPU phases are added up until they are so long
};

ApplicationText application_yaml(const KernelGroups& groups, const HostProgram& program, const ApplicationStyle& style);

}  // namespace tessera::importer
