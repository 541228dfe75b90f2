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
    Nanoseconds called = 0;
    std::uint32_t later = 0;
    bool is_told = false;                  // where the event was recorded
    std::optional<std::uint32_t> earlier;  // the last work ahead of the record; none: it waits for nothing
  };
  std::vector<StreamWait> stream_waits();
  // The operation that a synchronising call waits for, its stream or event being told. None: it waited for nothing.
  std::optional<std::uint32_t> awaited_by(const HostCall& call);
  // Whether the profile tells that stream or event.
  bool is_told(const HostCall& call) const;
  // Waits asked for so far of which the profile tells neither the record nor its place: it is taken as made just before.
  std::size_t num_assumed() const { return num_assumed_; }
  // On the GPU's clock.
  Nanoseconds start_of(const HostCall& call) const;

 private:
  // Work of a recorded stream in the order of its calls.
  struct Called {
    Nanoseconds time = 0;
    std::uint32_t operation = 0;
  };
  std::optional<std::uint32_t> last_before(std::uint64_t stream, Nanoseconds time) const;
  std::optional<std::uint32_t> first_from(std::uint64_t stream, Nanoseconds time) const;
  std::optional<std::uint32_t> first_of_thread_from(std::uint64_t thread, Nanoseconds time) const;
  struct Recorded {
    Nanoseconds time = 0;
    std::optional<std::uint64_t> stream;
  };
  // The stream of the record; none: it is not told.
  std::optional<std::uint64_t> stream_of_record(const KnownWait& wait) const;
  // What an event stands behind. A record whose call the profile lacks is behind the work of smaller correlations.
  std::optional<std::uint32_t> recorded_behind(std::uint64_t stream, const KnownWait& wait, Nanoseconds waited_at);
  std::optional<std::uint32_t> last_correlated_before(std::uint64_t stream, std::uint64_t record) const;
  bool has_correlations(std::uint64_t stream) const;

  const Profile& profile_;
  const Workload& workload_;
  std::unordered_map<std::uint64_t, std::vector<Called>> streams_;
  std::unordered_map<std::uint64_t, Recorded> records_;  // by correlation
  std::size_t num_assumed_ = 0;
};

}  // namespace tessera::importer
