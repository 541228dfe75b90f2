// SPDX-License-Identifier: Apache-2.0
// CSV lines to records. A cell is checked where its kind names it; the others must be empty.
#include "model/record/trace/csv_source.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>

#include "model/record/kind_info.h"
#include "model/record/trace/csv_sink.h"

namespace tessera::record {
namespace {

// The columns of CsvSink::kHeader.
enum Column : std::size_t {
  kCycleCell,
  kKindCell,
  kProcessCell,
  kKernelCell,
  kLaunchCell,
  kRunCell,
  kSmCell,
  kSlotCell,
  kTbCell,
  kTechniqueCell,
  kBytesCell,
  kCyclesCell,
  kValueCell,
  kNumCells
};
constexpr std::array<const char*, kNumCells> kColumns{"cycle", "kind", "process",   "kernel", "launch", "run",  "sm",
                                                      "slot",  "tb",   "technique", "bytes",  "cycles", "value"};
constexpr std::uint64_t kMaxPositions = 64;  // of a second kernel in an SM
constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

// Of equal names the first.
std::unordered_map<std::string_view, std::uint16_t> indices_of(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::uint16_t> indices;
  for (std::size_t i = 0; i < names.size(); ++i) indices.emplace(names[i], static_cast<std::uint16_t>(i));
  return indices;
}

std::string_view header() { return CsvSink::kHeader.substr(0, CsvSink::kHeader.size() - 1); }

}  // namespace

CsvSource::CsvSource(std::istream& in, const Names& names) : in_(in), names_(names), unquoted_(kNumCells) {
  for (int i = 0; i < kNumKinds; ++i) kinds_.emplace(to_string(static_cast<Kind>(i)), static_cast<Kind>(i));
  processes_ = indices_of(names.processes);
  for (const std::vector<std::string>& kernels : names.kernels) kernels_.push_back(indices_of(kernels));
  if (!read_line() || line_ != header()) {
    throw CsvError(1, 1, "", "is not a record log", line_.substr(0, 40), std::string(header()));
  }
}

bool CsvSource::next(Record& record) {
  if (!read_line()) return false;
  split();
  record = parse();
  last_cycle_ = record.cycle;
  return true;
}

bool CsvSource::read_line() {
  ++line_number_;
  if (!std::getline(in_, line_)) return false;
  if (in_.eof()) throw CsvError(line_number_, line_.size() + 1, "", "ends within a line: it was cut off", "", "");
  return true;
}

void CsvSource::split() {
  split_csv(line_, cells_);
  if (cells_.size() != kNumCells) {
    throw CsvError(line_number_, 1, "", fmt::format("has {} cells", cells_.size()), "", fmt::format("{}", +kNumCells));
  }
  if (line_.find('"') == std::string::npos) return;
  for (std::size_t i = 0; i < kNumCells; ++i) {
    unquoted_[i] = unquoted(cells_[i].text);
    cells_[i].text = unquoted_[i];
  }
}

Record CsvSource::parse() const {
  const auto kind = kinds_.find(cells_[kKindCell].text);
  if (kind == kinds_.end()) fail(kKindCell, "is unknown");
  const KindInfo& info = kind_info(kind->second);
  Record record;
  record.kind = kind->second;
  record.cycle = number(kCycleCell, kAnyNumber);
  if (record.cycle < last_cycle_) fail(kCycleCell, "goes back in time", fmt::format("{} or more", last_cycle_));
  if (info.has(kFieldProcess)) {
    const auto process = processes_.find(cells_[kProcessCell].text);
    if (process == processes_.end()) fail(kProcessCell, "is not a process of the summary");
    record.process = process->second;
  }
  if (info.has(kFieldKernel)) record.kernel = kernel_of(record.process);
  const auto read = [&](Field field, Column cell, auto& value, std::uint64_t limit) {
    if (info.has(field)) value = static_cast<std::remove_reference_t<decltype(value)>>(number(cell, limit));
  };
  constexpr std::uint64_t kIds = kNoNumber;
  constexpr std::uint64_t kMaxLaunches = std::uint64_t{1} << 24;  // readers keep tables by launch
  const bool is_of_all = record.kind == Kind::kSmBusy && cells_[kLaunchCell].text.empty();  // kernels share the SM
  if (!is_of_all) read(kFieldLaunch, kLaunchCell, record.launch, kMaxLaunches);
  read(kFieldRun, kRunCell, record.run, kIds);
  read(kFieldSm, kSmCell, record.sm, names_.num_sms);
  const bool is_position = record.kind == Kind::kPositionGranted;  // empty: all of the SM
  if (!is_position || !cells_[kSlotCell].text.empty())
    read(kFieldSlot, kSlotCell, record.slot, is_position ? kMaxPositions : names_.max_tbs_per_sm);
  read(kFieldTb, kTbCell, record.tb, kIds);
  if (info.has(kFieldTechnique)) record.technique = technique();
  read(kFieldBytes, kBytesCell, record.bytes, kAnyNumber);
  read(kFieldCycles, kCyclesCell, record.cycles, kAnyNumber);
  if (record.kind == Kind::kPreemptionRequested && cells_[kValueCell].text.empty()) {
    record.value = kNoNumber;
  } else {
    read(kFieldValue, kValueCell, record.value, kAnyNumber);
  }
  return record;
}

// Below `limit`.
std::uint64_t CsvSource::number(std::size_t cell, std::uint64_t limit) const {
  const std::optional<std::uint64_t> value = whole_number(cells_[cell].text);
  if (!value) fail(cell, "is not a number");
  if (*value >= limit) fail(cell, "is out of range", fmt::format("0 .. {}", limit - 1));
  return *value;
}

std::uint16_t CsvSource::kernel_of(std::uint16_t process) const {
  const Indices& kernels = kernels_.at(process);
  const auto kernel = kernels.find(cells_[kKernelCell].text);
  if (kernel == kernels.end()) fail(kKernelCell, "is not a kernel of the process");
  return kernel->second;
}

Technique CsvSource::technique() const {
  for (const Technique each : {Technique::kNone, Technique::kContextSwitch, Technique::kDrain, Technique::kFlush,
                               Technique::kChimera, Technique::kDualKernel}) {
    if (cells_[kTechniqueCell].text == to_string(each)) return each;
  }
  fail(kTechniqueCell, "is unknown", "context_switch, drain, flush, chimera, dual_kernel");
}

void CsvSource::fail(std::size_t cell, const std::string& problem, const std::string& allowed) const {
  throw CsvError(line_number_, cells_[cell].column, kColumns[cell], problem, std::string(cells_[cell].text), allowed);
}

}  // namespace tessera::record
