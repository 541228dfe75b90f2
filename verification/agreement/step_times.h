// SPDX-License-Identifier: Apache-2.0
// How long a step of a decision may take, from the step before it or the invocation on, if nothing falls into it.
#pragma once

#include <cstddef>
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

  // What the length of a step depends on: kernels in the active queue, and whether the step before it gave an SM, and
  // to the same kernel.
  struct Around {
    std::size_t num_kernels = 0;
    bool follows_assign = false;
    bool may_be_of_it = false;
  };
  bool fits(record::Kind step, const Around& around, Cycle taken) const;  // `taken`: in SM cycles
  Cycle search(std::size_t num_kernels) const;                            // core cycles, as all here
  Cycle longest_search() const;
  Cycle activation() const { return activation_; }

 private:
  Cycle least(record::Kind step, std::size_t num_kernels) const;

  const spec::Spec& spec_;
  bool is_one_job_;
  Cycle ratio_;
  Cycle activation_;
  Cycle scan_ = 0;  // before a walk, while a command waits
  Cycle begin_ = 0;
  Cycle job_wait_ = 0;    // for the job that is under way
  Cycle num_others_ = 0;  // partitions that may be looked at in vain before
};

}  // namespace tessera::verification
