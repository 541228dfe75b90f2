// SPDX-License-Identifier: Apache-2.0
// The rules for scalars, and the words of their complaints.
// Internal to model/spec.
#include "model/spec/scalar_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "model/spec/decimal.h"
#include "model/spec/nearest.h"

namespace tessera::spec {
namespace {

constexpr std::size_t kMaxNameLength = 100;  // it becomes part of a file name

std::string_view type_of(int digits) { return digits == 0 ? "integer" : "decimal"; }

std::string problem_of(DecimalStatus status, const Number& rule, std::string_view text) {
  switch (status) {
    case DecimalStatus::kNegative:
      return "is negative";
    case DecimalStatus::kNotFinite:
      return "is not finite";
    case DecimalStatus::kLeadingZeros:
      return "has leading zeros";
    case DecimalStatus::kTooManyDigits:
      if (rule.digits == 0) return "is not an integer";
      return fmt::format("has more than {} digits behind the point", rule.digits);
    case DecimalStatus::kNotANumber:
      return fmt::format("is not {}", rule.digits == 0 ? "an integer" : "a plain decimal number");
    case DecimalStatus::kOk:
    case DecimalStatus::kOverflow:
      break;
  }
  const bool is_whole = rule.digits > 0 || text.find('.') == std::string_view::npos;
  return is_whole ? "is out of range" : "is not an integer";
}

// A scalar's text where `is_allowed` holds for each of its 1 .. kMaxNameLength characters.
template <typename Rule>
Ruled<std::string> name_of(const Node& node, bool (*is_allowed)(char), const Rule& rule) {
  if (node.kind != Node::Kind::kScalar) return Problem{"must be a name", rule.form().allowed};
  const bool is_good = !node.text.empty() && node.text.size() <= kMaxNameLength &&
                       std::all_of(node.text.begin(), node.text.end(), is_allowed);
  if (is_good) return node.text;
  return Problem{"is not a valid name", rule.form().allowed};
}

}  // namespace

Ruled<std::uint64_t> Number::parse(const Node& node) const {
  const auto problem = [this](std::string what) { return Problem{std::move(what), form().allowed}; };
  if (node.kind != Node::Kind::kScalar) return problem("must be a number");
  if (!node.is_plain) return problem("is quoted, a number must not be");
  const DecimalResult result = parse_decimal(node.text, digits);
  const bool has_point = node.text.find('.') != std::string::npos;
  if (result.status == DecimalStatus::kOk && digits == 0 && has_point) return problem("is not an integer");
  const bool is_good = result.status == DecimalStatus::kOk && result.value >= min && result.value <= max;
  if (is_good) return result.value;
  return problem(problem_of(result.status, *this, node.text));
}

std::string Number::text(std::uint64_t value) const { return format_decimal(value, digits); }

Form Number::form() const {
  return number_form(type_of(digits), format_decimal(min, digits), format_decimal(max, digits));
}

Ruled<std::int64_t> SignedNumber::parse(const Node& node) const {
  const bool is_negative = node.kind == Node::Kind::kScalar && node.text.rfind('-', 0) == 0;
  Node magnitude = node;
  if (is_negative) magnitude.text.erase(0, 1);
  auto ruled = Number{0, max, digits}.parse(magnitude);
  if (auto* problem = std::get_if<Problem>(&ruled)) {
    // Behind a sign, another one makes no number.
    if (problem->problem == problem_of(DecimalStatus::kNegative, {}, {}))
      problem->problem = problem_of(DecimalStatus::kNotANumber, {0, max, digits}, {});
    problem->allowed = form().allowed;
    return *problem;
  }
  const auto value = static_cast<std::int64_t>(std::get<0>(ruled));
  return is_negative ? -value : value;
}

std::string SignedNumber::text(std::int64_t value) const {
  return (value < 0 ? "-" : "") + format_decimal(static_cast<std::uint64_t>(std::abs(value)), digits);
}

Form SignedNumber::form() const {
  const std::string most = format_decimal(max, digits);
  return number_form(type_of(digits), "-" + most, most);
}

Ruled<bool> Boolean::parse(const Node& node) const {
  const bool is_plain = node.kind == Node::Kind::kScalar && node.is_plain;
  if (is_plain && node.text == "true") return true;
  if (is_plain && node.text == "false") return false;
  return Problem{"must be true or false", form().allowed};
}

Ruled<std::string> Text::parse(const Node& node) const {
  return name_of(
      node, [](char c) { return c >= ' ' && c <= '~'; }, *this);
}

Form Text::form() const { return text_form(kMaxNameLength, "printable ASCII", "[ -~]"); }

Ruled<std::string> FolderName::parse(const Node& node) const {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return name_of(node, is_allowed, *this);
}

Form FolderName::form() const { return text_form(kMaxNameLength, "a-z 0-9 _ -", "[a-z0-9_-]"); }

Form form_of(const std::vector<std::string_view>& words) { return word_form({words.begin(), words.end()}); }

Problem not_one_of(const Node& node, const std::vector<std::string_view>& words) {
  std::string allowed = joined(words);
  if (node.kind != Node::Kind::kScalar) return {"must be one of the known words", std::move(allowed)};
  return {fmt::format("is unknown, nearest is {}", nearest(node.text, words)), std::move(allowed)};
}

Problem not_in(Cores cores, const std::vector<std::string_view>& words) {
  const bool is_clocked = includes(cores, Cores::kClocked);
  return {is_clocked ? "exists in tlm only, not in rtl_model and rtl" : "exists in rtl_model and rtl only, not in tlm",
          joined(words)};
}

}  // namespace tessera::spec
