// SPDX-License-Identifier: Apache-2.0
// A filter between the log and a trace's writer: ends the trace at a size limit, so that nobody writes gigabytes by
// accident, and omits counters, whose contents are already in other records.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>

#include "model/record/record.h"

namespace tessera::record {

class LimitedSink : public ISink {
 public:
  // `inner` gets the records until `is_full`, which is polled now and then, returns true.
  LimitedSink(ISink& inner, std::function<bool()> is_full) : inner_(inner), is_full_(std::move(is_full)) {}

  bool wants_per_tb() const override { return inner_.wants_per_tb(); }
  bool wants_held() const override { return inner_.wants_held(); }
  bool is_done() const override { return is_done_; }

  void consume(const Record& record) override {
    if (is_done_ || is_counter(record.kind)) return;
    const bool is_full = ++num_records_ % kRecordsBetweenLooks == 0 && is_full_();
    if (is_full) return finish(record.cycle);
    inner_.consume(record);
  }

  void finish(Cycle end) override {
    if (is_done_) return;
    is_done_ = true;
    ended_at_ = end;
    // A full disk must not abort the simulation; has_failed() reports it at the end.
    try {
      inner_.finish(end);
    } catch (const std::runtime_error&) {
      has_failed_ = true;
    }
  }

  // The first cycle that `inner` did not get; valid once done.
  Cycle ended_at() const { return ended_at_; }
  bool has_failed() const { return has_failed_; }  // `inner` could not be finished

 private:
  static constexpr std::uint64_t kRecordsBetweenLooks = 4096;

  ISink& inner_;
  std::function<bool()> is_full_;
  std::uint64_t num_records_ = 0;
  bool is_done_ = false;
  bool has_failed_ = false;
  Cycle ended_at_ = 0;
};

}  // namespace tessera::record
