// SPDX-License-Identifier: Apache-2.0
// preemptions.csv: a row for each preemption that is done, in that order, with the parts of its latency
// (docs/guide/record_format.md).
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>
#include <vector>

#include "model/base/time.h"
#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/chunked_writer.h"
#include "model/record/trace/csv_names.h"
#include "model/record/trace/preemption.h"

namespace tessera::record {

// What moving contexts takes on a machine.
struct ContextFacts {
  std::vector<std::vector<std::uint64_t>> bytes_per_tb;  // [process][kernel]
  double bytes_per_cycle = 1;                            // of the memory
};

ContextFacts make_context_facts(const spec::Spec& spec);

class PreemptionsSink : public ISink {
 public:
  static constexpr std::string_view kHeader =
      "sm,from_process,from_kernel,to_process,to_kernel,technique,requested_us,done_us,latency_us,decision_us,wait_us,"
      "movement_us,channel_us,bytes_saved,tbs_saved\n";

  // `out` must outlive the sink. Cells are empty where a preemption is for no kernel, or its decision is not known.
  PreemptionsSink(std::ostream& out, const Names& names, ContextFacts contexts);

  bool wants_per_tb() const override { return false; }
  void consume(const Record& record) override;
  void finish(Cycle end) override;  // throws std::runtime_error if the stream failed

 private:
  void write(const Preemption& preemption);
  std::uint64_t tbs_of(LaunchTable::Kernel kernel, std::uint64_t bytes) const;

  ChunkedWriter writer_;
  CsvNames names_;
  ContextFacts contexts_;
  Clock clock_;
  LaunchTable launches_;
  PreemptionSplitter splitter_;
};

}  // namespace tessera::record
