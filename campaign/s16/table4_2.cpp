// SPDX-License-Identifier: Apache-2.0
// Table 4.2: how many thread blocks of each kernel an SM holds, and how long their contexts take to save.
#include <fmt/format.h>

#include <algorithm>

#include "campaign/kernel_rows.h"
#include "campaign/s16/figures.h"
#include "campaign/s16/paper_values.h"
#include "model/workload/kernel_model.h"

namespace tessera::campaign::s16 {
namespace {

constexpr std::uint32_t kAlways = 1'000'000;  // idempotent_until of a kernel that is idempotent

using Row = KernelRow<Table42Row>;

bool has_printed_inputs(const Row& row) {
  const bool has_smem = row.kernel->smem_bytes_per_tb == row.printed->smem_bytes_per_tb;
  return row.kernel->regs_per_tb == row.printed->regs_per_tb && has_smem != !row.printed->misprint.empty() &&
         row.kernel->threads_per_tb == row.printed->threads_per_tb;
}

bool has_printed_idempotence(const Row& row) {
  return (row.kernel->idempotent_until_ppm == kAlways) == row.printed->is_idempotent;
}

// A claim about each of the kernels.
template <typename Holds>
Ordering claim(const std::string& text, const std::vector<Row>& all, const Holds& holds) {
  const auto good = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), holds));
  return {text, good == std::size(kTable42), fmt::format("{} of {} kernels", good, std::size(kTable42))};
}

double us(Picoseconds time) { return static_cast<double>(time) / 1e6; }

}  // namespace

Figure table4_2(const spec::Spec& base) {
  Figure figure;
  figure.name = "s16-table4_2";
  figure.title = "The benchmarks' kernels on an SM";
  const std::vector<Row> all = rows_of(kTable42, base);
  const auto tbs_per_sm = [&](const Row& row) { return workload::occupancy(base.gpu, *row.kernel).tbs_per_sm; };
  std::vector<double> sm_us, tb_us;
  for (const Row& row : all) {
    sm_us.push_back(us(workload::projected_save_time(base.gpu, *row.kernel)));
    tb_us.push_back(sm_us.back() / tbs_per_sm(row));
    figure.values.push_back(value_of(row.name(), "tbs_per_sm", "", tbs_per_sm(row), row.printed->tbs_per_sm));
    figure.values.push_back(value_of(row.name(), "sm_save_time_us", "", sm_us.back()));
    figure.values.push_back(value_of(row.name(), "tb_save_time_us", "", tb_us.back()));
  }
  figure.orderings.push_back(claim("as many thread blocks fit an SM as printed", all,
                                   [&](const Row& row) { return tbs_per_sm(row) == row.printed->tbs_per_sm; }));
  figure.orderings.push_back(
      claim("registers, shared memory and threads are those printed, but for kmeans's shared memory", all,
            has_printed_inputs));
  figure.orderings.push_back(
      claim("the kernels that are always idempotent are those printed", all, has_printed_idempotence));
  if (!all.empty()) {
    const auto [least_sm, most_sm] = std::minmax_element(sm_us.begin(), sm_us.end());
    const auto [least_tb, most_tb] = std::minmax_element(tb_us.begin(), tb_us.end());
    figure.orderings.push_back(
        {"no constraint of the paper, 2 to 5 us, leaves time to save a whole SM; one thread block can be saved in 5",
         *least_sm > kConstraintsUs[1] && *most_tb < kConstraintsUs[1],
         fmt::format("an SM {:.2f} to {:.2f} us, a thread block {:.2f} to {:.2f}", *least_sm, *most_sm, *least_tb,
                     *most_tb)});
  }
  figure.notes.emplace_back(
      "Save times are ours, one way, at an SM's share of the bandwidth: the paper prints none. kmeans has no shared "
      "memory here (its source), and dwt2d's rows have each other's name in the print; with the printed 3072 bytes, "
      "too, 6 "
      "thread blocks of kmeans fit.");
  return figure;
}

}  // namespace tessera::campaign::s16
