// SPDX-License-Identifier: Apache-2.0
// A preemption's parts come from the splitter, names from its launches.
#include "model/record/trace/preemptions_sink.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "model/spec/spec.h"
#include "model/workload/kernel_model.h"

namespace tessera::record {
ContextFacts make_context_facts(const spec::Spec& spec) {
  ContextFacts facts;
  facts.bytes_per_cycle =
      static_cast<double>(spec.gpu.memory_bandwidth_bytes_per_s) / static_cast<double>(spec.gpu.clock_hz);
  for (const spec::ProcessSpec& process : spec.processes) {
    std::vector<std::uint64_t>& bytes = facts.bytes_per_tb.emplace_back();
    for (const spec::KernelSpec& kernel : spec.applications[process.application].kernels) {
      bytes.push_back(workload::context_bytes_per_tb(kernel));
    }
  }
  return facts;
}

PreemptionsSink::PreemptionsSink(std::ostream& out, const Names& names, ContextFacts contexts)
    : writer_(out),
      names_(names),
      contexts_(std::move(contexts)),
      clock_(names.clock_hz),
      splitter_(names.num_sms, contexts_.bytes_per_cycle) {
  writer_.buffer() += kHeader;
}

void PreemptionsSink::consume(const Record& record) {
  if (record.kind == Kind::kKernelArrived) launches_.note_arrival(record);
  const std::optional<Preemption> done = splitter_.consume(record);
  if (!done) return;
  write(*done);
  writer_.commit();
}

void PreemptionsSink::write(const Preemption& preemption) {
  const LaunchTable::Kernel victim = launches_.find(preemption.victim);
  const LaunchTable::Kernel beneficiary = launches_.find(preemption.beneficiary);
  const auto us = [this](Cycle cycles) { return us_cell(clock_, cycles); };
  fmt::format_to(std::back_inserter(writer_.buffer()), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", preemption.sm,
                 names_.process(victim), names_.kernel(victim), names_.process(beneficiary), names_.kernel(beneficiary),
                 to_string(preemption.technique), us(preemption.requested),
                 us(preemption.requested + preemption.latency()), us(preemption.latency()),
                 preemption.decision ? us(*preemption.decision) : "", us(preemption.wait), us(preemption.movement),
                 us(preemption.channel), preemption.bytes, tbs_of(victim, preemption.bytes));
}

// All contexts of a kernel are of one size.
std::uint64_t PreemptionsSink::tbs_of(LaunchTable::Kernel kernel, std::uint64_t bytes) const {
  if (bytes == 0 || kernel.process == kNoIndex) return 0;
  return bytes / contexts_.bytes_per_tb.at(kernel.process).at(kernel.kernel);
}

void PreemptionsSink::finish(Cycle) { writer_.finish(); }

}  // namespace tessera::record
