// SPDX-License-Identifier: Apache-2.0
// What waited for what where the profile names streams and records of events: nothing has to be guessed then.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "importer/workload.h"

namespace tessera::importer {

class KnownWaits {
 public:
  KnownWaits(const Profile& profile, const Workload& workload);

  // A call of cudaStreamWaitEvent, with the next work of the stream that waits.
  struct StreamWait {
    std::uint32_t later = 0;
    bool is_told = false;                  // the stream of the record is
    std::optional<std::uint32_t> earlier;  // the last work ahead of the record; none: it waits for nothing, or not told
    Nanoseconds recorded_by = 0;           // the call of the record, or, where it is not known, that of the wait
  };
  std::vector<StreamWait> stream_waits();
  // The operation that a synchronising call waits for, its stream or event being told. None: it waited for nothing.
  std::optional<std::uint32_t> awaited_by(const HostCall& call);
  // Whether the profile tells that stream or event.
  bool is_told(const HostCall& call) const;
  // Waits asked for so far of which the profile tells neither the record nor its place: it is taken as made just
  // before.
  std::size_t num_assumed() const { return num_assumed_; }
  // On the GPU's clock.
  Nanoseconds start_of(const HostCall& call) const;

 private:
  struct Called {
    Nanoseconds time = 0;
    std::uint32_t operation = 0;
  };
  struct Correlated {
    std::uint64_t correlation = 0;
    std::uint32_t operation = 0;
  };
  // By stream or thread: work in the order of its calls.
  using Calls = std::unordered_map<std::uint64_t, std::vector<Called>>;

  static std::optional<std::uint32_t> first_from(const Calls& calls, std::uint64_t key, Nanoseconds time);
  std::optional<std::uint32_t> last_before(std::uint64_t stream, Nanoseconds time) const;
  // Of a stream with correlations.
  std::optional<std::uint32_t> last_correlated_before(std::uint64_t stream, std::uint64_t record) const;
  std::optional<Nanoseconds> time_of_record(const KnownWait& wait) const;
  // What an event stands behind. A record whose call the profile lacks is behind the work of smaller correlations.
  std::optional<std::uint32_t> recorded_behind(const KnownWait& wait, Nanoseconds waited_at);

  const Profile& profile_;
  const Workload& workload_;
  Calls streams_;
  Calls threads_;
  std::unordered_map<std::uint64_t, std::vector<Correlated>> correlated_;  // by stream, counted up
  std::unordered_map<std::uint64_t, Nanoseconds> records_;                 // times of calls, by correlation
  std::size_t num_assumed_ = 0;
};

}  // namespace tessera::importer
