// SPDX-License-Identifier: Apache-2.0
// Table 3.1: what victim selection stores, field by field, and what it could do with.
#include <fmt/format.h>

#include "campaign/s16/figures.h"
#include "campaign/s16/paper_values.h"
#include "model/storage/victim_storage.h"

namespace tessera::campaign::s16 {
namespace {

constexpr const char* kAsPrinted = "as printed";
constexpr const char* kThisMachine = "printed layout, this machine";
constexpr const char* kLean = "lean layout, this machine";

double bytes(const Table31Row& row) { return static_cast<double>(row.bits) * row.count / 8; }

std::optional<double> printed_bytes(std::string_view contents) {
  for (const Table31Row& row : kTable31) {
    if (row.contents == contents) return bytes(row);
  }
  return std::nullopt;
}

void add(Figure& figure, const std::string& panel, const std::vector<storage::VictimField>& fields,
         const spec::GpuSpec& gpu) {
  const bool is_printed = panel == kAsPrinted;
  for (const storage::VictimField& field : fields) {
    figure.values.push_back(
        value_of(panel, field.contents, "", field.bytes(), is_printed ? printed_bytes(field.contents) : std::nullopt));
  }
  const double per_sm = storage::per_sm_bytes(fields);
  const auto theirs = [&](double value) { return is_printed ? std::optional(value) : std::nullopt; };
  figure.values.push_back(value_of(panel, "bytes an SM", "", per_sm, theirs(1000 * kAboutKilobytesPerSm)));
  figure.values.push_back(
      value_of(panel, "bytes shared", "", storage::shared_bytes(fields), theirs(1000 * kSharedKilobytes)));
  figure.values.push_back(
      value_of(panel, "% of an SM", "", 100 * per_sm / storage::sm_capacity_bytes(gpu), theirs(kPercentOfAnSmBelow)));
}

bool every_field_is_as_printed(const std::vector<storage::VictimField>& fields) {
  if (fields.size() != std::size(kTable31)) return false;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Table31Row& row = kTable31[i];
    if (fields[i].contents != row.contents || fields[i].bits != row.bits || fields[i].count != row.count) return false;
    if (row.printed_bytes > 0 && fields[i].bytes() != row.printed_bytes) return false;
  }
  return true;
}

}  // namespace

Figure table3_1(const spec::Spec& base) {
  Figure figure;
  figure.name = "s16-table3_1";
  figure.title = "Storage of victim selection";
  const std::vector<storage::VictimField> printed = storage::printed_layout(storage::VictimSizes::printed());
  const std::vector<storage::VictimField> here = storage::printed_layout(storage::VictimSizes::of(base.gpu));
  const std::vector<storage::VictimField> lean = storage::lean_layout(base.gpu);
  add(figure, kAsPrinted, printed, base.gpu);
  add(figure, kThisMachine, here, base.gpu);
  add(figure, kLean, lean, base.gpu);
  const double per_sm = storage::per_sm_bytes(printed);
  const double percent = 100 * per_sm / storage::sm_capacity_bytes(base.gpu);
  figure.orderings.push_back({"every field has the bits that are printed", every_field_is_as_printed(printed),
                              fmt::format("{} fields", printed.size())});
  figure.orderings.push_back({"they add up to 516.5 bytes an SM (about 0.5 kB) and 120 bytes for all",
                              per_sm == 516.5 && storage::shared_bytes(printed) == 120,
                              fmt::format("{} and {} bytes", per_sm, storage::shared_bytes(printed))});
  figure.orderings.push_back({"which is less than 0.2 % of an SM's registers and shared memory (3.4.5)",
                              percent < kPercentOfAnSmBelow, fmt::format("{:.3f} % on {}", percent, base.gpu.name)});
  figure.orderings.push_back({"the lean layout needs less than a third of that",
                              storage::per_sm_bytes(lean) < per_sm / 3,
                              fmt::format("{} bytes an SM, {:.3f} %", storage::per_sm_bytes(lean),
                                          100 * storage::per_sm_bytes(lean) / storage::sm_capacity_bytes(base.gpu))});
  figure.notes.emplace_back(
      "The print mixes machines: 15 SMs are the GTX 480's, 16 thread blocks, 2048 threads and 65536 registers are "
      "Kepler's. It has 64 positions, and sets for 16 of them.");
  figure.notes.emplace_back(
      "Lean: a position is a multiple of what a guest's thread block needs, so two numbers stand for all of them, and "
      "there are no more of them than slots; a set is a bit a slot, as in the paper's own Figure 3.8, and not a list "
      "of "
      "numbers; process and kernel stand in the kernel status register, whose index an SM keeps; which positions are "
      "issued is a bit at the SM. Counters and flush bits are the same.");
  return figure;
}

}  // namespace tessera::campaign::s16
