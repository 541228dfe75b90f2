// SPDX-License-Identifier: Apache-2.0
// The rows of a printed table of kernels, each with the kernel that it is about.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "campaign/figure.h"
#include "model/spec/spec.h"

namespace tessera::campaign {

template <class Printed>
struct KernelRow {
  const Printed* printed = nullptr;
  const spec::KernelSpec* kernel = nullptr;

  std::string name() const { return std::string(printed->application) + " " + std::string(printed->kernel); }
};

// Those that the experiment has, in the order of the print.
template <class Printed, std::size_t kNumber>
std::vector<KernelRow<Printed>> rows_of(const Printed (&table)[kNumber], const spec::Spec& base) {
  std::vector<KernelRow<Printed>> found;
  for (const Printed& row : table) {
    for (const spec::ApplicationSpec& application : base.applications) {
      if (application.name != row.application) continue;
      for (const spec::KernelSpec& kernel : application.kernels) {
        if (kernel.name == row.kernel) found.push_back({&row, &kernel});
      }
    }
  }
  return found;
}

}  // namespace tessera::campaign
