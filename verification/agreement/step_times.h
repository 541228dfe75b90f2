// SPDX-License-Identifier: Apache-2.0
// How long a step of a decision may take, from the step before it or the invocation on, if nothing falls into it.
#pragma once

#include <cstdint>

#include "model/base/time.h"
#include "model/record/record.h"
#include "model/spec/spec.h"

namespace tessera::verification {

// Of the core whose log it is.
enum class CoreKind : std::uint8_t { kTransactionLevel, kClocked };

// Does that core do one job at a time? Else it is the ideal engine of the transaction-level model.
bool does_one_job(const spec::Spec& spec, CoreKind core);

class StepTimes {
 public:
  StepTimes(const spec::Spec& spec, CoreKind core);

  // In SM cycles; `searches`: walks over the tables that the move, or its absence, takes.
  bool fits(record::Kind step, std::uint32_t searches, Cycle taken) const;
  Cycle search() const { return search_; }  // core cycles, as all here
  Cycle activation() const { return activation_; }

 private:
  Cycle least(record::Kind step, std::uint32_t searches) const;

  bool is_one_job_;
  Cycle ratio_;
  Cycle search_;  // a walk
  Cycle activation_;
  Cycle scan_ = 0;  // before a walk, while a command waits
  Cycle begin_ = 0;
  Cycle job_wait_ = 0;    // for the job that is under way
  Cycle num_others_ = 0;  // partitions that may be looked at in vain before
};

}  // namespace tessera::verification
