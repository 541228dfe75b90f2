// SPDX-License-Identifier: Apache-2.0
// static_partition: the partitions in which something has changed, and the one that the search's step is for
// (docs/hardware/timing.md 5.8).
#pragma once

#include "rtl_model/core_params.h"

namespace tessera::rtl_model {

class Partitions {
 public:
  explicit Partitions(const CoreParams& params)
      : is_there_(params.has_partitions()), num_partitions_(params.num_sms), last_q_(num_partitions_ - 1) {}

  // Functions of registers.
  bool are_there() const { return is_there_; }
  bool has_more() const { return survey_q_ || dirty_q_.any(); }
  bool is_survey() const { return surveys_q_; }
  bool is_of_step(std::uint32_t partition) const { return has_partition_q_ && partition == last_q_; }
  const SmSet& dirty() const { return dirty_q_; }
  bool wants_survey() const { return survey_q_; }
  bool are_mixed() const { return mixed_q_; }
  std::uint32_t last() const { return last_q_; }  // partition of this step, or of the last step that had one

  // Marks a change in this cycle; invalid partition numbers are ignored.
  void touch(std::uint32_t partition) {
    if (is_there_ && partition < num_partitions_) dirty_d_.set(partition);
  }
  void touch_step() {
    if (has_partition_q_) touch(last_q_);
  }
  void kernel_finishes(std::uint32_t partition) {
    touch(partition);
    survey_d_ = survey_d_ || mixed_q_ || (is_walking_q_ && surveys_q_);
    if (is_walking_q_) touch_step();
  }
  // From the next cycle on, a walk reads the active queue, whose entries move up when a kernel finishes.
  void walk(bool is_walking) { is_walking_d_ = is_walking; }
  // The OS writes a register that restarts the search.
  void restart(bool is_policy, bool is_partition);
  // Selects the step's partition, in the cycle before its walk.
  void choose();

  // The edge, after all other changes. `is_queue_empty`: of the active queue in this cycle.
  void seq(bool is_queue_empty);

 private:
  bool is_there_;
  std::uint32_t num_partitions_;
  SmSet dirty_q_, dirty_d_;  // d: set in this cycle; setting has precedence over clearing
  bool survey_q_ = false, survey_d_ = false;
  bool has_partition_q_ = false;
  bool surveys_q_ = false;
  std::uint32_t last_q_;
  bool mixed_q_ = false, mixed_d_ = false;
  bool is_walking_q_ = false, is_walking_d_ = false;
};

}  // namespace tessera::rtl_model
