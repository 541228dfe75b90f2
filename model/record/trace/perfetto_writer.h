// SPDX-License-Identifier: Apache-2.0
// Writes Perfetto's native trace format: tracks, slices with interned names, counters. Field numbers are those
// of Perfetto's public trace_packet.proto, track_event.proto and track_descriptor.proto.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/record/trace/chunked_writer.h"

namespace tessera::record {

class PerfettoWriter {
 public:
  using Track = std::uint64_t;  // 0: no track

  explicit PerfettoWriter(std::ostream& out) : writer_(out) {}

  // A track below `parent`, drawn in order of creation among its siblings.
  Track add_track(Track parent, std::string_view name) { return add_track(parent, name, false); }
  Track add_counter_track(Track parent, std::string_view name) { return add_track(parent, name, true); }

  // Times in nanoseconds. The slices of a track must nest, and times on a track must not decrease from call to call.
  void begin_slice(Track track, std::uint64_t time_ns, std::string_view name);
  void end_slice(Track track, std::uint64_t time_ns);
  void mark(Track track, std::uint64_t time_ns, std::string_view name);
  void set_counter(Track track, std::uint64_t time_ns, std::int64_t value);

  void finish() { writer_.finish(); }  // throws std::runtime_error if the stream failed

 private:
  Track add_track(Track parent, std::string_view name, bool is_counter);
  std::uint64_t intern(std::string_view name);
  void start_event(std::uint64_t time_ns, std::uint32_t type, Track track);
  void commit_packet(std::uint64_t flags);

  ChunkedWriter writer_;
  Track num_tracks_ = 0;
  bool has_packets_ = false;
  std::unordered_map<std::string, std::uint64_t> interned_;
  // Reused from packet to packet to avoid allocation.
  std::string packet_;
  std::string event_;
  std::string new_names_;  // InternedData that must be written with the next packet
};

}  // namespace tessera::record
