// SPDX-License-Identifier: Apache-2.0
// A run of the paper's own code for each variant.
#include "campaign/variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "model/spec/loader.h"

namespace tessera::campaign {
namespace {

// How many of the figures' printed numbers and claims come out.
struct Score {
  double printed = 0;
  double hits = 0;
  double orderings = 0;
  double held = 0;

  void add(const Figure& figure) {
    for (const Value& value : figure.values) {
      if (!value.paper) continue;
      ++printed;
      hits += std::abs(value.ours.mean - *value.paper) <= kHit * std::abs(*value.paper) ? 1 : 0;
    }
    orderings += static_cast<double>(figure.orderings.size());
    held += static_cast<double>(std::count_if(figure.orderings.begin(), figure.orderings.end(),
                                              [](const Ordering& ordering) { return ordering.holds; }));
  }
};

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Variant& variant_of(const Paper& paper, const std::string& target, const std::string& name) {
  for (const Variant* const variant : variants_of(paper, target)) {
    if (variant->name == name) return *variant;
  }
  throw std::out_of_range("no variant " + name);
}

Request request_for(const Request& request, const Variant& variant) {
  Request changed = request;
  changed.load = [load = request.load, &variant](const std::vector<std::string>& more) {
    return load(spec::with_precedence(more, variant.overrides));
  };
  changed.figures = variant.figures;
  changed.variant = variant.name;
  return changed;
}

std::string joined(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ", ")); }

void add_row(Figure& table, const Variant& variant, const std::vector<Figure>& configured,
             const std::vector<Figure>& changed) {
  Score before;
  Score after;
  for (const Figure& figure : changed) {
    after.add(figure);
    for (const Figure& same : configured) {
      if (same.name == figure.name) before.add(same);
    }
  }
  table.meanings.push_back({variant.name,
                            {joined(variant.figures), variant.reason, variant.source,
                             variant.free_inputs.empty() ? "none" : joined(variant.free_inputs)}});
  const auto add = [&](const char* panel, double value) {
    table.values.push_back(value_of(panel, "variant", variant.name, value));
  };
  add("printed numbers", after.printed);
  add("hits", after.hits);
  add("hits as configured", before.hits);
  add("orderings", after.orderings);
  add("held", after.held);
  add("held as configured", before.held);
}

Figure empty_table(const std::string& target) {
  Figure table;
  table.name = target + "-variants";
  table.title = "What the conclusions hang on";
  table.is_matrix = true;
  table.x_label = "variant";
  table.meaning_heads = {"figures", "reason", "source", "free inputs"};
  table.notes.push_back(fmt::format("hit: within {:.0f} % of the print", 100 * kHit));
  return table;
}

}  // namespace

std::vector<const Variant*> variants_of(const Paper& paper, const std::string& target) {
  std::vector<const Variant*> found;
  for (const Variant& variant : paper.variants) {
    if (target == paper.whole || is_one_of(target, variant.figures)) found.push_back(&variant);
  }
  return found;
}

Reproduction reproduce_with_variants(const Paper& paper, const Request& request,
                                     const std::vector<std::string>& names) {
  for (const std::string& name : names) variant_of(paper, request.target, name);
  Reproduction all = paper.reproduce(request);
  if (names.empty()) return all;
  const std::vector<Figure> configured = all.figures;
  Figure table = empty_table(request.target);
  for (const std::string& name : names) {
    const Variant& variant = variant_of(paper, request.target, name);
    Reproduction changed = paper.reproduce(request_for(request, variant));
    add_row(table, variant, configured, changed.figures);
    for (Figure& figure : changed.figures) {
      figure.name += "-" + name;
      figure.title += " (" + name + ")";
      all.figures.push_back(std::move(figure));
    }
    all.effort.add(changed.effort);
    all.violations.insert(all.violations.end(), changed.violations.begin(), changed.violations.end());
  }
  all.figures.push_back(std::move(table));
  return all;
}

}  // namespace tessera::campaign
