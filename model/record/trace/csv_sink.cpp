// SPDX-License-Identifier: Apache-2.0
// Records to CSV lines.
#include "model/record/trace/csv_sink.h"

#include <fmt/format.h>

#include "model/record/kind_info.h"
#include "model/record/numbers.h"

namespace tessera::record {
CsvSink::CsvSink(std::ostream& out, const Names& names, CsvScope scope) : writer_(out), scope_(scope), names_(names) {
  writer_.buffer() += kHeader;
}

void CsvSink::append(std::string_view cell) { writer_.buffer().append(",").append(cell); }

void CsvSink::append(std::optional<std::uint64_t> cell) {
  std::string& buffer = writer_.buffer();
  buffer += ',';
  if (!cell) return;
  const fmt::format_int digits(*cell);
  buffer.append(digits.data(), digits.size());
}

void CsvSink::append_names(const Record& record) {
  LaunchTable::Kernel named = launches_.find(record.launch);
  if (record.process != kNoIndex) named.process = record.process;
  if (record.kernel != kNoIndex) named.kernel = record.kernel;
  append(names_.process(named));
  append(names_.kernel(named));
}

void CsvSink::consume(const Record& record) {
  if (is_per_tb(record.kind) && !wants_per_tb()) return;  // another sink wants them
  if (record.kind == Kind::kKernelArrived) launches_.note_arrival(record);
  const KindInfo& info = kind_info(record.kind);
  const auto cell = [&info](Field field, std::uint64_t number) {
    return info.has(field) ? std::optional<std::uint64_t>(number) : std::nullopt;
  };
  const fmt::format_int cycle(record.cycle);
  writer_.buffer().append(cycle.data(), cycle.size());
  append(info.name);
  append_names(record);
  append(record.launch == kNoNumber ? std::nullopt : cell(kFieldLaunch, record.launch));
  append(cell(kFieldRun, record.run));
  append(cell(kFieldSm, record.sm));
  append(record.slot == kNoIndex ? std::nullopt : cell(kFieldSlot, record.slot));
  append(cell(kFieldTb, record.tb));
  append(info.has(kFieldTechnique) ? to_string(record.technique) : std::string_view());
  append(cell(kFieldBytes, record.bytes));
  append(cell(kFieldCycles, record.cycles));
  const bool is_for_none = record.kind == Kind::kPreemptionRequested && number::reserved_for(record) == kNoNumber;
  append(is_for_none ? std::nullopt : cell(kFieldValue, record.value));
  writer_.buffer() += '\n';
  writer_.commit();
}

void CsvSink::finish(Cycle) { writer_.finish(); }

}  // namespace tessera::record
