// SPDX-License-Identifier: Apache-2.0
// Steps in turn.
#include "rtl_model/tables/partitions.h"

namespace tessera::rtl_model {

void Partitions::restart(bool is_policy, bool is_partition) {
  if (!is_there_) return;
  survey_d_ = true;
  mixed_d_ = is_policy || is_partition;
  if (!is_policy) return;
  dirty_q_.clear();
  last_q_ = num_partitions_ - 1;
}

void Partitions::choose() {
  surveys_q_ = survey_q_;
  has_partition_q_ = !survey_q_ && dirty_q_.any();
  survey_q_ = false;
  if (!has_partition_q_) return;
  last_q_ = dirty_q_.next_in_turn(last_q_ + 1);
  dirty_q_.clear(last_q_);
}

void Partitions::seq(bool is_queue_empty) {
  mixed_q_ = mixed_d_ || (mixed_q_ && !is_queue_empty);
  survey_q_ = survey_q_ || survey_d_;
  dirty_q_ = dirty_q_ | dirty_d_;
  is_walking_q_ = is_walking_d_;
  mixed_d_ = survey_d_ = false;
  dirty_d_.clear();
}

}  // namespace tessera::rtl_model
