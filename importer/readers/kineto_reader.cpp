// SPDX-License-Identifier: Apache-2.0
// The PyTorch profiler's trace: events are looked at one by one as the parser passes them, and most are forgotten at
// once, so that memory holds GPU work and API calls only.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "importer/readers/foreign_formats.h"
#include "importer/readers/json_bytes.h"
#include "importer/readers/kineto_number.h"
#include "importer/readers/readers.h"

namespace tessera::importer {
namespace {

using Json = nlohmann::json;

struct Event {
  std::string phase;
  std::string category;
  std::string name;
  Number start, duration, process, thread;
  Number device, context, stream, correlation, registers, smem, bytes, occupancy, tbs_per_sm;
  Number awaited_stream, awaited_record;
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
};

Work copy_direction(const std::string& name) {
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (has("HtoD") || has("HtoA")) return Work::kCopyToGpu;
  if (has("DtoH") || has("AtoH")) return Work::kCopyToHost;
  return Work::kCopyOnGpu;
}

class Handler : public nlohmann::json_sax<Json> {
 public:
  Handler(ByteSource& source, Profile& profile) : source_(source), profile_(profile) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t value) override { return number(number_of(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(number_of(value)); }
  bool number_float(number_float_t value, const string_t& text) override { return number(number_of(text, value)); }
  bool binary(binary_t&) override { return true; }
  bool string(string_t& text) override {
    if (depth_ == event_depth_ && in_events_) {
      if (key_ == "ph") event_.phase = text;
      if (key_ == "cat") event_.category = text;
      if (key_ == "name") event_.name = text;
    }
    if (in_devices_ && depth_ == event_depth_ && key_ == "name") device_.name = text;
    const std::optional<Number> quoted = number_in_quotes(text);
    return !quoted || number(*quoted);
  }
  bool key(string_t& text) override {
    if (depth_ == 1 && !root_is_array_) top_key_ = text;
    if (depth_ == event_depth_) key_ = text;
    if (depth_ == event_depth_ + 1) argument_ = text;
    if (foreign_.empty() && depth_ <= event_depth_ + 1) foreign_ = foreign_json(text);
    return true;
  }
  bool start_object(std::size_t) override {
    ++depth_;
    if (depth_ == event_depth_) {
      event_ = {};
      device_ = {};
      device_id_ = 0;
      key_.clear();
    }
    if (depth_ == event_depth_ + 1) argument_.clear();
    return true;
  }
  bool end_object() override {
    if (depth_ == event_depth_ && in_events_) finish_event();
    if (depth_ == event_depth_ && in_devices_) profile_.devices[device_id_] = device_;
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    if (depth_ == 1) {  // Chrome's other form: nothing but the events
      root_is_array_ = in_events_ = has_events_ = true;
      event_depth_ = 2;
    } else if (depth_ == 2 && !root_is_array_) {
      in_events_ = top_key_ == "traceEvents";
      in_devices_ = top_key_ == "deviceProperties";
      has_events_ = has_events_ || in_events_;
    }
    position_ = 0;
    return true;
  }
  bool end_array() override {
    --depth_;
    if (depth_ == 1 && !root_is_array_) in_events_ = in_devices_ = false;
    return true;
  }
  bool parse_error(std::size_t, const std::string& token, const Json::exception& error) override {
    const std::string_view problem = error.what();
    for (const char* const end : {"end of input", "missing closing quote"}) {
      if (problem.find(end) != std::string_view::npos) source_.fail("ends before its JSON does");
    }
    source_.fail("is malformed JSON", token.substr(0, 40));
  }

  bool has_events() const { return has_events_; }
  // Another tool's format, by the first key that is only in it; empty: none was seen.
  const std::string& foreign() const { return foreign_; }
  void finish() { profile_.set_waits(waits_); }

 private:
  bool number(const Number& value) {
    if (in_events_) {
      if (depth_ == event_depth_) set_event(value);
      if (depth_ == event_depth_ + 1 && key_ == "args") set_argument(value);
      if (depth_ == event_depth_ + 2 && key_ == "args" && position_ < 3) set_dimension(value);
    } else if (in_devices_ && depth_ == event_depth_) {
      set_device(value);
    }
    return true;
  }

  void set_event(const Number& value) {
    if (key_ == "ts") event_.start = value;
    if (key_ == "dur") event_.duration = value;
    if (key_ == "pid") event_.process = value;
    if (key_ == "tid") event_.thread = value;
  }

  void set_argument(const Number& value) {
    const std::pair<std::string_view, Number*> known[] = {
        {"device", &event_.device},
        {"context", &event_.context},
        {"stream", &event_.stream},
        {"correlation", &event_.correlation},
        {"registers per thread", &event_.registers},
        {"shared memory", &event_.smem},
        {"bytes", &event_.bytes},
        {"est. achieved occupancy %", &event_.occupancy},
        {"blocks per SM", &event_.tbs_per_sm},
        {"wait_on_stream", &event_.awaited_stream},
        {"wait_on_cuda_event_record_corr_id", &event_.awaited_record}};
    for (const auto& [name, number] : known) {
      if (argument_ == name) *number = value;
    }
  }

  void set_dimension(const Number& value) {
    if (argument_ == "grid") event_.grid[position_++] = to_u32(value.value);
    if (argument_ == "block") event_.block[position_++] = to_u32(value.value);
  }

  void set_device(const Number& value) {
    if (key_ == "id") device_id_ = to_u64(value);
    const std::pair<std::string_view, std::uint32_t*> known[] = {
        {"numSms", &device_.num_sms},
        {"maxThreadsPerMultiprocessor", &device_.max_threads_per_sm},
        {"regsPerMultiprocessor", &device_.registers_per_sm},
        {"sharedMemPerMultiprocessor", &device_.smem_bytes_per_sm},
        {"regsPerBlock", &device_.most_registers_per_tb},
        {"sharedMemPerBlock", &device_.most_smem_bytes_per_tb},
        {"computeMajor", &device_.compute_major}};
    for (const auto& [name, number] : known) {
      if (key_ == name) *number = to_u32(value.value);
    }
  }

  void finish_event() {
    if (event_.phase != "X") return;
    const std::string& category = event_.category;
    if (category == "kernel" || category == "Kernel") add_activity(Work::kKernel);
    if (category == "gpu_memcpy" || category == "Memcpy") add_activity(copy_direction(event_.name));
    if (category == "gpu_memset" || category == "Memset") add_activity(Work::kMemset);
    if (category == "cuda_runtime" || category == "Runtime" || category == "cuda_driver") add_call();
    if (category == "cuda_sync" && event_.correlation.is_known) add_wait();
  }

  void add_activity(Work work) {
    if (!event_.start.is_known) {
      ++profile_.num_without_time;
      return;
    }
    GpuActivity activity;
    activity.work = work;
    if (work == Work::kKernel) activity.name = profile_.name_index(event_.name);
    activity.start = event_.start.thousandths;
    // Less than nothing is what Kineto writes of work whose end it has not seen.
    if (event_.duration.is_known && event_.duration.thousandths >= 0) activity.duration = event_.duration.thousandths;
    if (event_.correlation.is_known) activity.correlation = to_u64(event_.correlation);
    activity.device = to_u64(event_.device.is_known ? event_.device : event_.process);
    if (event_.context.is_known) activity.context = to_u64(event_.context);
    activity.stream = to_u64(event_.stream.is_known ? event_.stream : event_.thread);
    activity.holds_host = activity.is_copy_with_host() && event_.name.find("Pageable") != std::string::npos;
    activity.grid = event_.grid;
    activity.block = event_.block;
    activity.regs_per_thread = to_optional(event_.registers);
    activity.smem_bytes = to_optional(event_.smem);
    if (event_.bytes.is_known) activity.bytes = to_u64(event_.bytes);
    activity.occupancy_percent = to_double(event_.occupancy);
    activity.tbs_per_sm_of_grid = to_double(event_.tbs_per_sm);
    profile_.activities.push_back(activity);
  }

  void add_call() {
    const std::optional<CallKind> kind = call_kind_of(event_.name);
    if (!kind || !event_.start.is_known) return;
    HostCall call;
    call.kind = *kind;
    call.launches_graph = is_graph_launch(event_.name);
    call.thread = to_u64(event_.thread);
    call.start = event_.start.thousandths;
    call.duration = std::max<Nanoseconds>(0, event_.duration.thousandths);
    if (event_.correlation.is_known) call.correlation = to_u64(event_.correlation);
    profile_.calls.push_back(call);
  }

  void add_wait() {
    waits_[{0, to_u64(event_.correlation)}] = {to_id(event_.stream), to_id(event_.awaited_stream),
                                               to_id(event_.awaited_record)};
  }

  ByteSource& source_;
  Profile& profile_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, KnownWait>
      waits_;  // by process, which traces do not tell, and correlation
  std::size_t depth_ = 0;
  std::size_t event_depth_ = 3;
  bool root_is_array_ = false;
  bool in_events_ = false;
  bool in_devices_ = false;
  bool has_events_ = false;
  std::string top_key_;
  std::string key_;       // of the event
  std::string argument_;  // key in its args
  std::size_t position_ = 0;
  Event event_;
  DeviceProperties device_;
  std::uint64_t device_id_ = 0;
  std::string foreign_;
};

// JSON, but not what is asked for: another tool's, or nothing of a GPU.
[[noreturn]] void fail_without_work(const std::string& file, const Handler& handler) {
  if (!handler.foreign().empty()) {
    throw spec::InputError(
        {{file, 1, 1, "", "is " + handler.foreign() + ", which is not read", "", std::string(kReadFormats)}});
  }
  if (!handler.has_events()) {
    throw spec::InputError({{file, 1, 1, "traceEvents", "is missing", "", "a trace of the PyTorch profiler"}});
  }
  throw spec::InputError({{file, 1, 1, "traceEvents", "has no kernel, and no other GPU work", "",
                           "events of the category kernel: profile with ProfilerActivity.CUDA"}});
}

}  // namespace

Profile read_kineto(const std::filesystem::path& path) {
  ByteSource source(path);
  Profile profile;
  profile.format = "kineto";
  Handler handler(source, profile);
  JsonBytes bytes(source);
  Json::sax_parse(JsonIterator(bytes), JsonIterator(), &handler);
  if (profile.activities.empty() && profile.num_without_time == 0) fail_without_work(source.name(), handler);
  handler.finish();
  if (bytes.num_replaced() > 0) {
    profile.notes.push_back(std::to_string(bytes.num_replaced()) +
                            " places in strings that JSON does not allow (no UTF-8, control characters, bad escapes) "
                            "were replaced");
  }
  return profile;
}

}  // namespace tessera::importer
