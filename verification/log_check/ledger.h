// SPDX-License-Identifier: Apache-2.0
// Launches and SMs as the records so far leave them. Internal to the log checker.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/record/record.h"
#include "verification/log_check/log_checker.h"

namespace tessera::verification::log_check {

enum class TbState : std::uint8_t { kUnissued, kResident, kSaved, kFlushed, kFinished };
enum class Stage : std::uint8_t { kArrived, kActive, kFinished };

struct Launch {
  std::uint16_t process = record::kNoIndex;
  std::uint16_t kernel = record::kNoIndex;
  const KernelFacts* facts = nullptr;
  Cycle arrived_at = 0;
  Stage stage = Stage::kArrived;
  std::vector<TbState> tbs;
  std::map<std::uint32_t, std::uint64_t> saved;  // TB -> bytes of its context
  std::uint32_t num_flushed = 0;                 // and not restarted
  std::uint32_t num_finished = 0;
  std::optional<record::Record> left;  // its kKernelLeft
};

struct Resident {
  std::uint32_t launch = record::kNoNumber;
  std::uint32_t tb = record::kNoNumber;
};

struct Restore {
  std::uint32_t launch = record::kNoNumber;
  std::uint64_t bytes = 0;
  Cycle start = 0;
};

// A TB that was chosen to leave, until the log says that it has left.
struct Victim {
  Resident tb;
  record::Technique exit = record::Technique::kNone;
  Cycle chosen_at = 0;
  bool is_released = false;  // the kernel that it was to make room for comes no more: it may stay
  record::Technique way = record::Technique::kNone;  // that it took
  Cycle left_at = 0;
};

struct Passage {
  Cycle cycle = 0;
  std::uint32_t from = record::kNoNumber;  // LaunchId of its owner until then
};

struct Sm {
  std::uint32_t owner = record::kNoNumber;                // LaunchId
  bool is_handed_over = false;                            // preempted: the owner has left, the next one has not come
  std::optional<record::Record> request;                  // the preemption that goes on
  std::optional<std::uint64_t> saving;                    // bytes announced by kSaveStarted
  std::uint64_t saved_bytes = 0;                          // by the preemption that goes on
  std::vector<Restore> restores;                          // that go on: one, unless kernels share SMs
  std::map<std::uint32_t, std::uint64_t> restored_bytes;  // [launch]: of TBs whose restore is not done
  std::uint32_t last_owner = record::kNoNumber;           // whose kSmBusy is to come
  Cycle counted_until = 0;                                // set-up, or the last kSmBusy
  Cycle slots_counted_until = 0;                          // set-up, or the last kSmSlots
  std::uint64_t run_cycles = 0;                           // of its TBs since, less now for each resident: modulo 2^64
  bool has_saved = false;                                 // TBs since: they stood still before, how long is not told
  std::vector<std::optional<Resident>> slots;
  std::uint32_t shared_memory_bytes = 0;  // as it was set up
  bool has_run = false;                   // a TB, since it was set up

  // Where TBs are chosen one by one ([S16]).
  std::vector<std::optional<Victim>> victims;  // [slot]
  bool has_chosen = false;                     // for the preemption that goes on
  std::uint64_t leaving_bytes = 0;             // announced by kSaveStarted, and not yet saved
  std::uint64_t num_flushed = 0;               // TBs that no kSmFlushed has counted
  std::optional<std::uint32_t> guest;          // LaunchId: has places beside the owner
  std::set<std::uint16_t> positions;           // granted to the guest, and perhaps given back
  std::optional<record::Record> set_aside;     // a request that was cancelled before any TB ran
  std::optional<Passage> passed;               // the last kSmPassed
};

struct Ledger {
  explicit Ledger(const LogFacts& of_log) : facts(of_log), sms(of_log.num_sms) {
    for (Sm& sm : sms) {
      sm.slots.resize(of_log.max_tbs_per_sm);
      sm.victims.resize(of_log.max_tbs_per_sm);
    }
  }

  const LogFacts& facts;
  std::map<std::uint32_t, Launch> launches;
  std::vector<Sm> sms;
  bool chooses_victims = false;  // a technique that does has been requested
};

}  // namespace tessera::verification::log_check
