// SPDX-License-Identifier: Apache-2.0
// Sends each record to the part of the trace that draws it.
#include "model/record/trace/perfetto_sink.h"

#include "model/record/kind_info.h"

namespace tessera::record {

PerfettoSink::PerfettoSink(std::ostream& out, const Names& names)
    : names_(names),
      writer_(out),
      sms_(writer_, names_, launches_),
      host_(writer_, names_),
      cpu_(writer_, names_),
      driver_(writer_, names_),
      gloop_(writer_, names_),
      tasks_(writer_, names_),
      turn_(writer_, names_) {}

void PerfettoSink::consume(const Record& record) {
  if (record.kind == Kind::kKernelArrived) launches_.note_arrival(record);
  if (kind_info(record.kind).has(kFieldSm) || record.kind == Kind::kSmsWithheld) {
    sms_.consume(record);
  } else {
    host_.consume(record);
    cpu_.consume(record);
    driver_.consume(record);
    gloop_.consume(record);
    tasks_.consume(record);
    turn_.consume(record);
  }
}

void PerfettoSink::finish(Cycle end) {
  sms_.finish(end);
  host_.finish(end);
  cpu_.finish(end);
  driver_.finish(end);
  gloop_.finish(end);
  tasks_.finish(end);
  turn_.finish(end);
  writer_.finish();
}

}  // namespace tessera::record
