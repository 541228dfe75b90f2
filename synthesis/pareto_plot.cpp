// SPDX-License-Identifier: Apache-2.0
// A block of data for each number of SMs, and one for each front of cores that do the same.
#include "synthesis/pareto_plot.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>

#include "plot/gnuplot.h"

namespace tessera::synthesis {
namespace {

constexpr const char* kColours[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44", "#aa3377", "#66ccee", "#000000"};

constexpr std::size_t kWidth = 760;
constexpr std::size_t kHeight = 520;

std::string row(const CoreResult& result) {
  return fmt::format("{:.4g} {:.4g} \"{}\"\n", result.kge(), result.decision_ns(), result.core.search_width);
}

}  // namespace

std::string pareto_script(const std::string& name, const std::vector<CoreResult>& results) {
  std::set<std::uint32_t> sizes;
  for (const CoreResult& result : results) sizes.insert(result.core.num_sms);
  std::string data;
  std::string wider;  // with more than an entry a step
  std::vector<std::string> plots;
  std::map<std::uint32_t, const char*> colours;  // by SMs
  for (const std::uint32_t num_sms : sizes) {
    colours[num_sms] = kColours[colours.size() % std::size(kColours)];
    std::string rows;
    for (const CoreResult& result : results) {
      if (result.core.num_sms != num_sms) continue;
      rows += row(result);
      if (result.core.search_width > 1) wider += row(result);
    }
    data += plot::data_block(fmt::format("all{}", num_sms), rows);
    plots.push_back(fmt::format("$all{0} using 1:2 with points pt 7 ps 0.7 lc rgb '{1}' title '{0} SMs'", num_sms,
                                colours[num_sms]));
  }
  std::size_t number = 0;
  for (const std::vector<const CoreResult*>& front : pareto_fronts(results)) {
    std::string rows;
    for (const CoreResult* result : front) rows += row(*result);
    data += plot::data_block(fmt::format("front{}", ++number), rows);
    plots.push_back(fmt::format("$front{} using 1:2 with linespoints pt 7 ps 1.1 lw 1.5 lc rgb '{}' notitle", number,
                                colours[front.front()->core.num_sms]));
  }
  if (!wider.empty()) {
    data += plot::data_block("wider", wider);
    plots.emplace_back("$wider using 1:2:3 with labels offset 1.2,0.6 font ',8' notitle");
  }
  return "# gnuplot -e \"format='svg'; output='pareto.svg'\" pareto.gp\n" + plot::terminal(kWidth, kHeight) +
         fmt::format(
             "set logscale xy\nset grid lc '#dddddd'\nset key outside right\n"
             "set title '{}: large: no core that does as much beats it; label: a search width above 1' noenhanced\n"
             "set xlabel 'gate equivalents (thousands), RAM apart'\nset ylabel 'mean time of a decision (ns), "
             "osu018'\n",
             name) +
         data + plot::overlay(plots);
}

}  // namespace tessera::synthesis
