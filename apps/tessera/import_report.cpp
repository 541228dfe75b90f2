// SPDX-License-Identifier: Apache-2.0
// Recorded against simulated, what was assumed, and what is not explained.
#include "apps/tessera/import_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tessera::app {
namespace {

using importer::Fidelity;
using importer::ImportedApplication;
using importer::KernelFidelity;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxTold = 8;

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

Json fidelity_json(const Fidelity& fidelity) {
  Json reasons = Json::array();
  for (const importer::SpanReason& reason : fidelity.reasons) {
    reasons.push_back({{"cause", reason.name}, {"shorter_without_us", rounded(reason.moves_us)}});
  }
  Json kernels = Json::array();
  for (const KernelFidelity& kernel : fidelity.kernels) {
    kernels.push_back({{"name", kernel.name},
                       {"launches", kernel.launches},
                       {"recorded_us", rounded(kernel.recorded_us)},
                       {"simulated_us", rounded(kernel.simulated_us)},
                       {"worst_error", rounded(kernel.worst_error)},
                       {"overlapped_launches", kernel.num_overlapped}});
  }
  return {{"span_us", {{"recorded", fidelity.recorded_span_us}, {"simulated", rounded(fidelity.simulated_span_us)}}},
          {"busy_us", fidelity.recorded_busy_us},
          {"overlap_us", rounded(fidelity.recorded_overlap_us)},
          {"span_reasons", std::move(reasons)},
          {"kernels", std::move(kernels)}};
}

Json application_json(const ImportedApplication& application) {
  Json json = {{"name", application.name},           {"file", application.file},
               {"alone", application.alone},         {"operations", application.num_operations},
               {"kernels", application.num_kernels}, {"lines", application.num_lines},
               {"loops", application.num_loops}};
  json["fidelity"] = application.fidelity ? fidelity_json(*application.fidelity) : Json();
  json["occupancy_not_measured"] = application.num_occupancy_not_measured;
  json["occupancy_differences"] = Json::array();
  for (const auto& each : application.occupancy) {
    json["occupancy_differences"].push_back({{"kernel", each.kernel},
                                             {"recorded_percent", each.recorded_percent},
                                             {"percent", rounded(each.ours_percent)}});
  }
  json["unexplained_us"] = rounded(application.unexplained_us);
  json["unexplained_gaps"] = Json::array();
  for (const auto& gap : application.gaps) {
    json["unexplained_gaps"].push_back({{"before", gap.before}, {"at_us", gap.at_us}, {"length_us", gap.length_us}});
  }
  json["assumptions"] = application.assumptions;
  return json;
}

std::string kernels_text(const Fidelity& fidelity) {
  std::uint64_t launches = 0;
  std::vector<KernelFidelity> beyond;
  double recorded = 0;
  double simulated = 0;
  for (const KernelFidelity& kernel : fidelity.kernels) {
    launches += kernel.launches;
    recorded += kernel.recorded_us * static_cast<double>(kernel.launches);
    simulated += kernel.simulated_us * static_cast<double>(kernel.launches);
    if (kernel.num_beyond > 0) beyond.push_back(kernel);
  }
  std::string text =
      fmt::format("  kernel time   {:12.3f} ms recorded, {:12.3f} ms simulated ({:+.2f} %), {} launches\n",
                  recorded / 1e3, simulated / 1e3, recorded > 0 ? 100 * (simulated / recorded - 1) : 0, launches);
  text += fmt::format("  within 1 %    {} of {} kernels\n", fidelity.kernels.size() - beyond.size(),
                      fidelity.kernels.size());
  std::sort(beyond.begin(), beyond.end(), [](const KernelFidelity& a, const KernelFidelity& b) {
    return std::abs(a.simulated_us - a.recorded_us) * static_cast<double>(a.launches) >
           std::abs(b.simulated_us - b.recorded_us) * static_cast<double>(b.launches);
  });
  for (std::size_t i = 0; i < beyond.size() && i < kMaxTold; ++i) {
    text += fmt::format("                {}: {:.3f} us recorded, {:.3f} us simulated, {} launches{}\n", beyond[i].name,
                        beyond[i].recorded_us, beyond[i].simulated_us, beyond[i].launches,
                        beyond[i].num_overlapped > 0 ? ", beside other kernels" : "");
  }
  if (beyond.size() > kMaxTold) text += fmt::format("                and {} more\n", beyond.size() - kMaxTold);
  return text;
}

std::string gaps_text(const ImportedApplication& application) {
  if (application.gaps.empty()) return "";
  std::string text = fmt::format("  unexplained   {:.3f} ms in which launched work waited and nothing tells for what\n",
                                 application.unexplained_us / 1e3);
  for (std::size_t i = 0; i < application.gaps.size() && i < kMaxTold; ++i) {
    text += fmt::format("                {:.3f} ms at {:.3f} ms, before {}\n", application.gaps[i].length_us / 1e3,
                        application.gaps[i].at_us / 1e3, application.gaps[i].before);
  }
  return text;
}

std::string occupancy_text(const ImportedApplication& application) {
  if (application.num_with_occupancy + application.num_occupancy_not_measured == 0) return "";
  std::string text =
      fmt::format("  occupancy     as recorded for {} of {} kernels\n",
                  application.num_with_occupancy - application.occupancy.size(), application.num_with_occupancy);
  for (std::size_t i = 0; i < application.occupancy.size() && i < kMaxTold; ++i) {
    text += fmt::format("                {}: {:.0f} % recorded, {:.0f} % here\n", application.occupancy[i].kernel,
                        application.occupancy[i].recorded_percent, application.occupancy[i].ours_percent);
  }
  if (application.num_occupancy_not_measured > 0) {
    text += fmt::format("                not measured: {} kernels of more than 48 KiB of shared memory (0 % printed)\n",
                        application.num_occupancy_not_measured);
  }
  if (application.occupancy.size() > kMaxTold)
    text += fmt::format("                and {} more\n", application.occupancy.size() - kMaxTold);
  return text;
}

// Each cause by itself: what the span becomes shorter by without it.
std::string span_text(const Fidelity& fidelity) {
  if (std::abs(fidelity.span_error()) <= importer::kNoticeableSpanError) return "";
  constexpr double kWorthALine = 0.001;  // of the recorded span
  std::vector<importer::SpanReason> reasons = fidelity.reasons;
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.moves_us) > std::abs(b.moves_us); });
  std::string text;
  for (const importer::SpanReason& reason : reasons) {
    if (std::abs(reason.moves_us) < kWorthALine * fidelity.recorded_span_us) continue;
    text += fmt::format("                {:.3f} ms {} without {}\n", std::abs(reason.moves_us) / 1e3,
                        reason.moves_us > 0 ? "shorter" : "longer", reason.text);
  }
  if (text.empty())
    return "                more than 1 % off, and no known cause moves it: waits that the profile does not tell\n";
  return "                more than 1 % off; simulated again with one cause removed, it is\n" + text;
}

std::string application_text(const ImportedApplication& application) {
  std::string text =
      fmt::format("\n{}: {} GPU operations, {} kernels, {} lines of YAML, {} loops\n", application.name,
                  application.num_operations, application.num_kernels, application.num_lines, application.num_loops);
  if (application.fidelity) {
    const Fidelity& fidelity = *application.fidelity;
    text += fmt::format("  span          {:12.3f} ms recorded, {:12.3f} ms simulated ({:+.2f} %)\n",
                        fidelity.recorded_span_us / 1e3, fidelity.simulated_span_us / 1e3, 100 * fidelity.span_error());
    text += span_text(fidelity);
    text += kernels_text(fidelity);
  }
  text += gaps_text(application) + occupancy_text(application);
  for (const std::string& assumption : application.assumptions) text += fmt::format("  assumed       {}\n", assumption);
  return text;
}

}  // namespace

nlohmann::ordered_json import_json(const importer::ImportResult& result) {
  Json json = {{"format", result.format}, {"gpu", result.gpu}, {"experiment", result.experiment}};
  json["applications"] = Json::array();
  for (const ImportedApplication& application : result.applications) {
    json["applications"].push_back(application_json(application));
  }
  json["assumptions"] = result.assumptions;
  return json;
}

std::string import_text(const importer::ImportResult& result) {
  std::string text = fmt::format("imported from {} for {}\n", result.format, result.gpu);
  for (const std::string& assumption : result.assumptions) text += fmt::format("  assumed       {}\n", assumption);
  for (const ImportedApplication& application : result.applications) text += application_text(application);
  return text;
}

}  // namespace tessera::app
