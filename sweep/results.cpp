// SPDX-License-Identifier: Apache-2.0
// Pictures are drawn beside their names and renamed, as every other file.
#include "sweep/results.h"

#include <string>
#include <vector>

#include "model/base/whole_file.h"
#include "plot/draw.h"
#include "sweep/database.h"
#include "sweep/plot_script.h"
#include "sweep/plot_table.h"
#include "sweep/summary.h"

namespace tessera::sweep {
namespace {

namespace fs = std::filesystem;

bool draw_plot(const fs::path& script) {
  for (const std::string format : {"svg", "png"}) {
    fs::path picture = script;
    picture.replace_extension(format);
    const fs::path aside = aside_of(picture);
    if (!plot::draw(script, format, aside)) return false;
    fs::rename(aside, picture);
  }
  return true;
}

}  // namespace

bool write_results(const Table& table, const Folder& folder) {
  const std::vector<Design> designs = designs_of(table);
  folder.write("points.csv", points_csv(table));
  write_database(table, folder.file("sweep.sqlite"));
  bool is_drawn = true;
  std::vector<std::string> plots;
  for (const spec::SweepPlot& plot : table.plan->spec().plots) {
    const std::string script = plot_script(table, designs, plot);
    if (script.empty()) continue;
    const fs::path name = fs::path("plots") / (plot.name + ".gp");
    folder.write(name, script);
    folder.write(fs::path(name).replace_extension("csv"), plot_csv(table, designs, plot));
    is_drawn = is_drawn && draw_plot(folder.file(name));
    plots.push_back(plot.name);
  }
  folder.write("summary.md", summary_markdown(table, designs, plots));
  return is_drawn;
}

}  // namespace tessera::sweep
