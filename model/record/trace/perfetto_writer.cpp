// SPDX-License-Identifier: Apache-2.0
// One packet per event, all on one sequence; a name is spelt out once and referred to by number afterwards.
#include "model/record/trace/perfetto_writer.h"

#include "model/record/trace/proto_encoder.h"

namespace tessera::record {
namespace {

constexpr std::uint32_t kTracePacket = 1;  // Trace

constexpr std::uint32_t kPacketTimestamp = 8;  // TracePacket
constexpr std::uint32_t kPacketSequenceId = 10;
constexpr std::uint32_t kPacketTrackEvent = 11;
constexpr std::uint32_t kPacketInternedData = 12;
constexpr std::uint32_t kPacketSequenceFlags = 13;
constexpr std::uint32_t kPacketTrackDescriptor = 60;

constexpr std::uint64_t kFlagStateCleared = 1;  // TracePacket.SequenceFlags
constexpr std::uint64_t kFlagNeedsState = 2;

constexpr std::uint32_t kEventType = 9;  // TrackEvent
constexpr std::uint32_t kEventNameIid = 10;
constexpr std::uint32_t kEventTrackUuid = 11;
constexpr std::uint32_t kEventCounterValue = 30;

constexpr std::uint32_t kTypeSliceBegin = 1;  // TrackEvent.Type
constexpr std::uint32_t kTypeSliceEnd = 2;
constexpr std::uint32_t kTypeInstant = 3;
constexpr std::uint32_t kTypeCounter = 4;

constexpr std::uint32_t kTrackUuid = 1;  // TrackDescriptor
constexpr std::uint32_t kTrackName = 2;
constexpr std::uint32_t kTrackParentUuid = 5;
constexpr std::uint32_t kTrackCounter = 8;
constexpr std::uint32_t kTrackChildOrdering = 11;
constexpr std::uint32_t kTrackSiblingRank = 12;
constexpr std::uint64_t kOrderingExplicit = 3;  // TrackDescriptor.ChildTracksOrdering

constexpr std::uint32_t kInternedEventNames = 2;  // InternedData
constexpr std::uint32_t kNameIid = 1;             // EventName
constexpr std::uint32_t kNameText = 2;

constexpr std::uint64_t kSequence = 1;

}  // namespace

PerfettoWriter::Track PerfettoWriter::add_track(Track parent, std::string_view name, bool is_counter) {
  const Track track = ++num_tracks_;
  std::string descriptor;
  append_number(descriptor, kTrackUuid, track);
  append_bytes(descriptor, kTrackName, name);
  if (parent != 0) append_number(descriptor, kTrackParentUuid, parent);
  if (is_counter) append_bytes(descriptor, kTrackCounter, {});
  append_number(descriptor, kTrackChildOrdering, kOrderingExplicit);
  append_number(descriptor, kTrackSiblingRank, track);
  append_bytes(packet_, kPacketTrackDescriptor, descriptor);
  commit_packet(0);
  return track;
}

std::uint64_t PerfettoWriter::intern(std::string_view name) {
  const auto [entry, is_new] = interned_.try_emplace(std::string(name), interned_.size() + 1);
  if (is_new) {
    std::string event_name;
    append_number(event_name, kNameIid, entry->second);
    append_bytes(event_name, kNameText, name);
    append_bytes(new_names_, kInternedEventNames, event_name);
  }
  return entry->second;
}

void PerfettoWriter::begin_slice(Track track, std::uint64_t time_ns, std::string_view name) {
  start_event(time_ns, kTypeSliceBegin, track);
  append_number(event_, kEventNameIid, intern(name));
  commit_packet(kFlagNeedsState);
}

void PerfettoWriter::end_slice(Track track, std::uint64_t time_ns) {
  start_event(time_ns, kTypeSliceEnd, track);
  commit_packet(0);
}

void PerfettoWriter::mark(Track track, std::uint64_t time_ns, std::string_view name) {
  start_event(time_ns, kTypeInstant, track);
  append_number(event_, kEventNameIid, intern(name));
  commit_packet(kFlagNeedsState);
}

void PerfettoWriter::set_counter(Track track, std::uint64_t time_ns, std::int64_t value) {
  start_event(time_ns, kTypeCounter, track);
  append_number(event_, kEventCounterValue, static_cast<std::uint64_t>(value));
  commit_packet(0);
}

void PerfettoWriter::start_event(std::uint64_t time_ns, std::uint32_t type, Track track) {
  append_number(packet_, kPacketTimestamp, time_ns);
  append_number(event_, kEventType, type);
  append_number(event_, kEventTrackUuid, track);
}

void PerfettoWriter::commit_packet(std::uint64_t flags) {
  if (!event_.empty()) append_bytes(packet_, kPacketTrackEvent, event_);
  if (!new_names_.empty()) append_bytes(packet_, kPacketInternedData, new_names_);
  append_number(packet_, kPacketSequenceId, kSequence);
  // The first packet of a sequence declares that nothing before it is needed.
  if (!has_packets_) flags |= kFlagStateCleared;
  if (flags != 0) append_number(packet_, kPacketSequenceFlags, flags);
  append_bytes(writer_.buffer(), kTracePacket, packet_);
  writer_.commit();
  has_packets_ = true;
  packet_.clear();
  event_.clear();
  new_names_.clear();
}

}  // namespace tessera::record
