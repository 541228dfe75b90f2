// SPDX-License-Identifier: Apache-2.0
// A Perfetto trace read back by protoc, as a viewer shows it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "model/record/trace/perfetto_sink.h"
#include "tests/model/record/support.h"

namespace tessera::record::test {

inline std::string trace_of(const std::vector<Record>& log, const Names& names, Cycle end) {
  std::ostringstream out;
  PerfettoSink sink(out, names);
  feed(sink, log, end);
  return out.str();
}

// What protoc makes of a trace, in its text format.
inline std::string decode(const std::string& trace) {
  const std::string stem = fmt::format("{}/tessera_perfetto_{}", testing::TempDir(), getpid());
  std::ofstream(stem + ".bin", std::ios::binary) << trace;
  const std::string command = fmt::format(
      "protoc --proto_path='{0}' --decode=perfetto.protos.Trace perfetto_subset.proto < '{1}.bin' > '{1}.txt'",
      TESSERA_SOURCE_DIR "/tests/model/record/trace/data", stem);
  EXPECT_EQ(std::system(command.c_str()), 0) << "needs protoc (Debian: protobuf-compiler)";
  std::ifstream in(stem + ".txt");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  std::filesystem::remove(stem + ".bin");
  std::filesystem::remove(stem + ".txt");
  return text;
}

// "key: value" pairs of one packet, without their nesting; the packets here name no key twice except `name`
// and `iid`, which only interned data and descriptors hold.
using Packet = std::multimap<std::string, std::string>;

inline std::vector<Packet> packets_of(const std::string& text) {
  std::vector<Packet> packets;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line == "packet {") packets.emplace_back();
    line.erase(0, line.find_first_not_of(' '));
    if (line == "counter {") packets.back().emplace("counter", "");
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    std::string value = line.substr(colon + 2);
    value.erase(std::remove(value.begin(), value.end(), '"'), value.end());
    packets.back().emplace(line.substr(0, colon), value);
  }
  return packets;
}

// protoc shows a field that the schema does not have by its number.
inline bool has_unknown_field(const std::string& text) {
  std::istringstream lines(text);
  for (std::string word; lines >> word;) {
    const bool is_key = word.back() == ':' || lines.peek() == ' ';
    if (is_key && word.find_first_not_of("0123456789:") == std::string::npos) return true;
    if (word.back() == ':') std::getline(lines, word);  // its value
  }
  return false;
}

inline const std::string& value_of(const Packet& packet, const std::string& key) {
  static const std::string kNone;
  const auto found = packet.find(key);
  return found == packet.end() ? kNone : found->second;
}

// A trace as a viewer shows it.
struct Trace {
  std::map<std::string, std::string> tracks;                 // uuid -> "SMs/SM 0"
  std::map<std::string, std::vector<std::string>> slices;    // track -> "name begin-end", by begin, outer first
  std::map<std::string, std::vector<std::string>> counters;  // track -> "time value"
  std::map<std::string, std::vector<std::string>> marks;     // track -> "name time"
  std::vector<std::string> faults;
};

struct Slice {
  std::string name;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::size_t order = 0;  // of its beginning in the trace
};

class TraceReader {
 public:
  explicit TraceReader(const std::string& text) {
    if (has_unknown_field(text)) trace_.faults.push_back("an unknown field");
    for (const Packet& packet : packets_of(text)) {
      if (value_of(packet, "trusted_packet_sequence_id") != "1") trace_.faults.push_back("a packet of no sequence");
      packet.count("uuid") != 0 ? read_track(packet) : read_event(packet);
    }
    for (const auto& [track, stack] : open_) {
      if (!stack.empty()) trace_.faults.push_back(track + ": a slice that does not end");
    }
    for (auto& [track, slices] : closed_) {
      std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
        return std::make_pair(a.begin, a.order) < std::make_pair(b.begin, b.order);
      });
      for (const Slice& s : slices) trace_.slices[track].push_back(fmt::format("{} {}-{}", s.name, s.begin, s.end));
    }
  }

  Trace result() && { return std::move(trace_); }

 private:
  void read_track(const Packet& packet) {
    const std::string& parent = value_of(packet, "parent_uuid");
    const std::string prefix = parent.empty() ? "" : trace_.tracks.at(parent) + "/";
    trace_.tracks[value_of(packet, "uuid")] = prefix + value_of(packet, "name");
  }

  void read_event(const Packet& packet) {
    if (packet.count("iid") != 0) names_[value_of(packet, "iid")] = value_of(packet, "name");
    const std::string& track = trace_.tracks.at(value_of(packet, "track_uuid"));
    const std::uint64_t time = std::stoull(value_of(packet, "timestamp"));
    const std::string& type = value_of(packet, "type");
    std::vector<Slice>& stack = open_[track];
    if (time < last_time_[track]) trace_.faults.push_back(track + ": time falls");
    last_time_[track] = time;
    if (type == "TYPE_COUNTER") {
      trace_.counters[track].push_back(fmt::format("{} {}", time, value_of(packet, "counter_value")));
    } else if (type == "TYPE_INSTANT") {
      trace_.marks[track].push_back(fmt::format("{} {}", names_.at(value_of(packet, "name_iid")), time));
    } else if (type == "TYPE_SLICE_BEGIN") {
      if (value_of(packet, "sequence_flags") != "2") trace_.faults.push_back(track + ": a name without its state");
      stack.push_back({names_.at(value_of(packet, "name_iid")), time, 0, num_slices_++});
    } else if (stack.empty()) {
      trace_.faults.push_back(track + ": an end without a beginning");
    } else {
      stack.back().end = time;
      closed_[track].push_back(stack.back());
      stack.pop_back();
    }
  }

  Trace trace_;
  std::map<std::string, std::string> names_;  // iid -> name
  std::map<std::string, std::vector<Slice>> open_;
  std::map<std::string, std::vector<Slice>> closed_;
  std::map<std::string, std::uint64_t> last_time_;
  std::size_t num_slices_ = 0;
};

inline Trace read(const std::vector<Record>& log, const Names& names = small_names(), Cycle end = kSoundLogEnd) {
  return TraceReader(decode(trace_of(log, names, end))).result();
}

}  // namespace tessera::record::test
