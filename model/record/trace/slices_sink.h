// SPDX-License-Identifier: Apache-2.0
// slices.csv: a row for each thing that an SM does, with its begin and end, in the order in which they end
// (docs/guide/record_format.md).
#pragma once

#include <ostream>
#include <string_view>

#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/chunked_writer.h"
#include "model/record/trace/csv_names.h"
#include "model/record/trace/sm_slices.h"

namespace tessera::record {

class SlicesSink : public ISink, private ISmSliceListener {
 public:
  static constexpr std::string_view kHeader = "sm,part,parts,begin_us,end_us,phase,process,kernel\n";

  // `out` must outlive the sink. Process and kernel are empty of an SM that is idle by rule.
  SlicesSink(std::ostream& out, const Names& names);

  bool wants_per_tb() const override { return true; }  // else the end of a set-up would be a guess
  bool wants_held() const override { return true; }
  void consume(const Record& record) override;
  void finish(Cycle end) override;  // throws std::runtime_error if the stream failed

 private:
  void sm_slice(const SmSlice& slice) override;

  ChunkedWriter writer_;
  CsvNames names_;
  Clock clock_;
  LaunchTable launches_;
  SmSlices slices_;
};

}  // namespace tessera::record
