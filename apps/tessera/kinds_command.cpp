// SPDX-License-Identifier: Apache-2.0
// tessera kinds: which kernels memory limits ([Z21] Definition 1).
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/config_path.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/experiment_file.h"
#include "apps/tessera/interrupt.h"
#include "apps/tessera/progress.h"
#include "model/spec/json_text.h"
#include "model/spec/names.h"
#include "model/spec/spec.h"
#include "platform/kernel_kinds.h"

namespace tessera::app {
namespace {

struct KindsOptions {
  std::string experiment;
  std::vector<std::string> overrides;
  bool prints_json = false;
  unsigned num_workers = std::max(1U, std::thread::hardware_concurrency());
};

// Without it no kernel is limited by memory.
void require_memory(const spec::Spec& spec, const std::string& file) {
  if (spec.channel_sharing == spec::ChannelSharing::kLoadedLatency) return;
  throw spec::InputError({{file, 1, 1, "memory_channel.sharing", "memory limits no kernel",
                           std::string(to_string(spec.channel_sharing)), "loaded_latency"}});
}

double microseconds(realtime::Nanoseconds time) { return static_cast<double>(time) / 1000; }

std::string text_of(const std::vector<platform::KindOfKernel>& kinds) {
  std::size_t width = 6;
  for (const platform::KindOfKernel& one : kinds) width = std::max(width, one.kernel.size());
  std::string text = fmt::format("  {:<{}}  {:>12}  {:>12}  {:>12}  {:>10}  kind\n", "kernel", width, "1 SM, us",
                                 "half, us", "all, us", "levels off");
  const std::string* application = nullptr;
  for (const platform::KindOfKernel& one : kinds) {
    if (application == nullptr || *application != one.application) text += fmt::format("{}\n", one.application);
    application = &one.application;
    text += fmt::format("  {:<{}}  {:>12.3f}  {:>12.3f}  {:>12.3f}  {:>10}  {}\n", one.kernel, width,
                        microseconds(one.times.front()),
                        microseconds(one.times[std::max<std::size_t>(1, one.times.size() / 2) - 1]),
                        microseconds(one.times.back()), one.levels_off, spec::to_string(one.kind));
  }
  return text;
}

nlohmann::ordered_json times_json(const platform::TimesOverSms& times) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const realtime::Nanoseconds time : times) json.push_back(microseconds(time));
  return json;
}

nlohmann::ordered_json json_of(const std::vector<platform::KindOfKernel>& kinds) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const platform::KindOfKernel& one : kinds) {
    json.push_back({{"application", one.application},
                    {"kernel", one.kernel},
                    {"kind", spec::to_string(one.kind)},
                    {"levels_off_sms", one.levels_off},
                    {"time_us", times_json(one.times)},
                    {"without_memory_us", times_json(one.without_memory)}});
  }
  return {{"kernels", std::move(json)}};
}

int run_kinds(const KindsOptions& options) {
  const std::filesystem::path path = experiment_path(options.experiment);
  const spec::Spec spec = load_experiment_file(path, options.overrides, spec::Cores::kTlm);
  require_memory(spec, options.experiment);
  catch_interrupts();
  Progress progress;
  std::vector<platform::KindOfKernel> kinds;
  try {
    kinds = platform::measure_kinds(spec, options.num_workers, is_interrupted,
                                    [&](std::size_t done, std::size_t total) { progress.show(done, total); });
  } catch (const std::runtime_error&) {
    if (!is_interrupted()) throw;
    return kInterrupted;
  }
  fmt::print("{}", options.prints_json ? spec::json_text(json_of(kinds), 2) + "\n" : text_of(kinds));
  return kDone;
}

}  // namespace

void add_kinds_command(CLI::App& command, int& status) {
  auto options = std::make_shared<KindsOptions>();
  add_experiment_argument(command, options->experiment);
  add_set_option(command, options->overrides, "Override a key: memory_channel.sharing=loaded_latency, ...");
  add_jobs_option(command, options->num_workers, "Kernels measured");
  command.add_flag("--json", options->prints_json, "Print the times on each number of SMs as JSON");
  command.callback([options, &status] { status = run_kinds(*options); });
}

}  // namespace tessera::app
