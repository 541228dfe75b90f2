// SPDX-License-Identifier: Apache-2.0
// Command buffers with one launch each, and their order of arrival (docs/hardware/timing.md 4.1).
#pragma once

#include <vector>

#include "rtl_model/core_params.h"
#include "rtl_model/interfaces/pins.h"

namespace tessera::rtl_model {

class CommandBuffers {
 public:
  struct Row {
    explicit Row(const CoreParams& params);

    Field32 context, priority, due;
    bool has_due = false;
    Field32 partition, num_tbs, tbs_per_sm;
    Field64 descriptor;
  };

  explicit CommandBuffers(const CoreParams& params);

  const Row& row(std::uint32_t buffer) const { return rows_q_[buffer]; }
  bool is_valid(std::uint32_t buffer) const { return !free_q_.has(buffer); }
  const RowSet& free() const { return free_q_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_q_.size()); }
  std::uint32_t num_waiting() const { return count_q_; }
  std::uint32_t by_age(std::uint32_t position) const { return ages_q_[position]; }  // oldest first
  std::uint32_t last() const { return last_q_; }                                    // buffer activated last
  const RowSet& contexts() const { return contexts_q_; }                            // of the commands that wait

  // Changes of a cycle; call in this order.
  void retire(std::uint32_t buffer);
  void write_priority(std::uint32_t context, std::uint32_t priority);
  void accept(const CommandPins& command);

 private:
  void count(std::uint32_t context, std::int32_t commands);

  std::vector<Row> rows_q_;
  RowSet free_q_;
  RowSet contexts_q_;                          // decoded from the rows,
  std::vector<std::uint32_t> num_of_context_;  // which are so many
  std::vector<std::uint32_t> ages_q_;
  std::uint32_t count_q_ = 0;
  std::uint32_t last_q_;
};

}  // namespace tessera::rtl_model
