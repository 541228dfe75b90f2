// SPDX-License-Identifier: Apache-2.0
// A place is a slot of an SM.
#include "campaign/silicon/thread_blocks.h"

#include <algorithm>
#include <map>
#include <utility>

#include "campaign/silicon/run_times.h"
#include "model/spec/spec.h"

namespace tessera::campaign {

using record::Kind;

namespace {

std::uint32_t place_of(const record::Record& record) { return std::uint32_t{record.sm} << 16U | record.slot; }

}  // namespace

double most_at_once(const std::vector<double>& starts, const std::vector<double>& ends) {
  std::vector<std::pair<double, int>> changes;  // in one instant the end comes first
  for (const double start : starts) changes.emplace_back(start, 1);
  for (const double end : ends) changes.emplace_back(end, -1);
  std::sort(changes.begin(), changes.end());
  int now = 0, most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  return most;
}

double even_sms(const std::vector<double>& sms) {
  std::map<double, int> tbs;
  for (const double sm : sms) {
    if (++tbs[sm] == 3) break;
  }
  return static_cast<double>(tbs.size());
}

ThreadBlockSink::ThreadBlockSink(const spec::Spec& spec, std::vector<std::uint32_t> processes)
    : clock_(spec.gpu.clock_hz), processes_(std::move(processes)) {}

bool ThreadBlockSink::is_its(std::uint16_t process) const {
  return std::find(processes_.begin(), processes_.end(), process) != processes_.end();
}

void ThreadBlockSink::consume(const record::Record& record) {
  switch (record.kind) {
    case Kind::kKernelArrived:
      process_of_[record.launch] = record.process;
      return;
    case Kind::kTbIssued: {
      if (!is_its(process_of_.at(record.launch))) return;
      const auto [last, is_first] = last_in_.try_emplace(place_of(record), Span{record.cycle, 0});
      const Span before = std::exchange(last->second, {record.cycle, 0});
      if (!is_first && before.end > before.start) turnarounds_.push_back(us_of(record.cycle - before.end, clock_));
      sms_.push_back(record.sm);
      return;
    }
    case Kind::kTbFinished: {
      if (!is_its(process_of_.at(record.launch))) return;
      Span& span = last_in_.at(place_of(record));
      span.end = record.cycle;
      ended_.push_back(span);
      return;
    }
    default:
      return;
  }
}

std::vector<double> ThreadBlockSink::starts() const {
  std::vector<double> all;
  for (const Span& span : ended_) all.push_back(us_of(span.start, clock_));
  return all;
}

std::vector<double> ThreadBlockSink::ends() const {
  std::vector<double> all;
  for (const Span& span : ended_) all.push_back(us_of(span.end, clock_));
  return all;
}

}  // namespace tessera::campaign
