// SPDX-License-Identifier: Apache-2.0
// Launches and SMs as the records so far leave them. Internal to the log checker.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "model/record/checks/log_checker.h"
#include "model/record/record.h"

namespace tessera::record::log_check {

enum class TbState : std::uint8_t { kUnissued, kResident, kSaved, kFlushed, kFinished };
enum class Stage : std::uint8_t { kArrived, kActive, kFinished };

struct Launch {
  std::uint16_t process = kNoIndex;
  std::uint16_t kernel = kNoIndex;
  const KernelFacts* facts = nullptr;
  Stage stage = Stage::kArrived;
  std::vector<TbState> tbs;
  std::map<std::uint32_t, std::uint64_t> saved;  // TB -> bytes of its context
  std::uint32_t num_flushed = 0;                 // and not restarted
  std::uint32_t num_finished = 0;
  std::optional<Record> left;  // its kKernelLeft
};

struct Resident {
  std::uint32_t launch = kNoNumber;
  std::uint32_t tb = kNoNumber;
};

struct Restore {
  std::uint64_t bytes = 0;
  Cycle start = 0;
};

struct Sm {
  std::uint32_t owner = kNoNumber;      // LaunchId
  bool is_handed_over = false;          // preempted: the owner has left, the next one has not come
  std::optional<Record> request;        // the preemption that goes on
  std::optional<std::uint64_t> saving;  // bytes announced by kSaveStarted
  std::uint64_t saved_bytes = 0;        // by the preemption that goes on
  std::optional<Restore> restore;
  std::uint64_t restored_bytes = 0;      // by the restore that goes on
  std::uint32_t last_owner = kNoNumber;  // whose kSmBusy is to come
  Cycle counted_until = 0;               // set-up, or the last kSmBusy
  std::vector<std::optional<Resident>> slots;
};

struct Ledger {
  explicit Ledger(const LogFacts& of_log) : facts(of_log), sms(of_log.num_sms) {
    for (Sm& sm : sms) sm.slots.resize(of_log.max_tbs_per_sm);
  }

  const LogFacts& facts;
  std::map<std::uint32_t, Launch> launches;
  std::vector<Sm> sms;
};

}  // namespace tessera::record::log_check
