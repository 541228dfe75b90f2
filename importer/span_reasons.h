// SPDX-License-Identifier: Apache-2.0
// Why a simulated span is not the recorded one: each cause is removed by itself, and the application simulated again.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "importer/fidelity.h"
#include "importer/host_program.h"
#include "importer/kernel_groups.h"
#include "model/spec/spec.h"

namespace tessera::importer {

// The application without one cause.
struct Variant {
  std::string name;  // of the cause, as import.json has it
  std::string text;  // as a person reads it
  KernelGroups groups;
  HostProgram program;
  bool is_unrolled = false;          // every launch and CPU phase by itself
  bool is_against_unrolled = false;  // what it moves, it moves from the span of `mean_times`
  std::function<void(spec::Spec&)> alter = [](spec::Spec&) {};
};

struct ImportedProgram {
  const KernelGroups& recorded;  // times as recorded
  const KernelGroups& fitted;    // as they have to be in their company
  const HostProgram& program;
  bool is_exact = false;
};

// Those that there are, five at most; of more than kMaxUnrolled steps, none that has to be unrolled.
inline constexpr std::size_t kMaxUnrolled = 20'000;
std::vector<Variant> variants_without_a_cause(const spec::Spec& spec, const ImportedProgram& imported);

// `span_us_of` simulates a variant; none: it does not come to its end, or is too long for a file. `span_us` is that of
// the application as it is.
std::vector<SpanReason> span_reasons(const std::vector<Variant>& variants, double span_us,
                                     const std::function<std::optional<double>(const Variant&)>& span_us_of);

}  // namespace tessera::importer
