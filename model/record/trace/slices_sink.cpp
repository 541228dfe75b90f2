// SPDX-License-Identifier: Apache-2.0
#include "model/record/trace/slices_sink.h"

#include <fmt/format.h>

#include <iterator>

namespace tessera::record {

SlicesSink::SlicesSink(std::ostream& out, const Names& names)
    : writer_(out), names_(names), clock_(names.clock_hz), slices_(names.num_sms, std::nullopt, *this) {
  writer_.buffer() += kHeader;
}

void SlicesSink::consume(const Record& record) {
  if (record.kind == Kind::kKernelArrived) launches_.note_arrival(record);
  slices_.consume(record);
  writer_.commit();
}

void SlicesSink::sm_slice(const SmSlice& slice) {
  const LaunchTable::Kernel kernel = launches_.find(slice.launch);
  fmt::format_to(std::back_inserter(writer_.buffer()), "{},{},{},{},{},{},{},{}\n", slice.sm, slice.part,
                 slices_.num_parts(slice.sm), us_cell(clock_, slice.begin), us_cell(clock_, slice.end),
                 to_string(slice.phase), names_.process(kernel), names_.kernel(kernel));
}

void SlicesSink::finish(Cycle end) {
  slices_.finish(end);
  writer_.finish();
}

}  // namespace tessera::record
