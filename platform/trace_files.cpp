// SPDX-License-Identifier: Apache-2.0
// A file stream, a sink that writes it, and a limit around that.
#include "platform/trace_files.h"

#include <fstream>
#include <stdexcept>

#include "model/record/names.h"
#include "model/record/trace/csv_sink.h"
#include "model/record/trace/limited_sink.h"
#include "model/record/trace/perfetto_sink.h"
#include "model/record/trace/preemptions_sink.h"
#include "model/record/trace/slices_sink.h"

namespace tessera::platform {

struct TraceFiles::File {
  std::filesystem::path path;
  std::ofstream stream;
  std::unique_ptr<record::ISink> writer;
  std::unique_ptr<record::LimitedSink> sink;
  bool was_full = false;
};

TraceFiles::TraceFiles(const TraceRequest& request, const spec::Spec& spec) {
  const auto open = [&](const std::filesystem::path& path, auto make_writer) {
    if (path.empty()) return;
    File& file = *files_.emplace_back(std::make_unique<File>());
    file.path = path;
    file.stream.open(path, std::ios::binary);
    if (!file.stream) throw std::runtime_error("cannot write " + path.string());
    file.writer = make_writer(file.stream);
    file.sink = std::make_unique<record::LimitedSink>(*file.writer, [&file, max = request.max_bytes] {
      file.was_full = file.stream.good() && static_cast<std::uint64_t>(file.stream.tellp()) >= max;
      return file.was_full || !file.stream.good();
    });
  };
  const record::Names names = record::make_names(spec);
  open(request.perfetto, [&](std::ostream& out) { return std::make_unique<record::PerfettoSink>(out, names); });
  open(request.csv, [&](std::ostream& out) { return std::make_unique<record::CsvSink>(out, names); });
  open(request.timeline,
       [&](std::ostream& out) { return std::make_unique<record::CsvSink>(out, names, record::CsvScope::kWithoutTbs); });
  open(request.slices, [&](std::ostream& out) { return std::make_unique<record::SlicesSink>(out, names); });
  open(request.preemptions, [&](std::ostream& out) {
    return std::make_unique<record::PreemptionsSink>(out, names, record::make_context_facts(spec));
  });
  if (!request.waveform.is_empty()) waveform_ = std::make_unique<Waveform>(request.waveform);
}

TraceFiles::~TraceFiles() = default;

std::vector<record::ISink*> TraceFiles::sinks() const {
  std::vector<record::ISink*> sinks;
  for (const auto& file : files_) sinks.push_back(file->sink.get());
  return sinks;
}

std::vector<TraceCut> TraceFiles::cuts() const {
  std::vector<TraceCut> cuts;
  for (const auto& file : files_) {
    if (file->sink->has_failed()) throw std::runtime_error("cannot write all of " + file->path.filename().string());
    if (file->was_full) cuts.push_back({file->path.filename().string(), file->sink->ended_at()});
  }
  if (waveform_ == nullptr) return cuts;
  for (const auto& [name, at] : waveform_->cuts()) cuts.push_back({name, at});
  return cuts;
}

}  // namespace tessera::platform
