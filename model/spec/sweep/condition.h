// SPDX-License-Identifier: Apache-2.0
// `num_ksrs <= num_sms and policy != fcfs`: a condition that a sweep's points must meet.
//   condition  := and { "or" and }        and  := not { "and" not }        not := "not" not | comparison
//   comparison := sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//   sum        := product { ("+" | "-") product }        product := atom { ("*" | "/") atom }
//   atom       := number | 'text' | "true" | "false" | name | "(" condition ")"
// Internal to model/spec.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/spec/report.h"

namespace tessera::spec {

using ConditionValue = std::variant<bool, double, std::string>;

// The value of a name; empty if it has none.
using ConditionLookup = std::function<std::optional<ConditionValue>(const std::string& name)>;

// A value that a condition can compare: a number, a boolean, or a word.
ConditionValue condition_value(const std::string& text);

class Condition {
 public:
  // Valid names. Any other word must be one of `words` and stands for itself.
  struct Vocabulary {
    std::function<bool(const std::string&)> is_name;
    std::vector<std::string> names;  // to choose the nearest from
    std::vector<std::string> words;
  };

  // If the text is not a condition, reports it and returns empty.
  static std::optional<Condition> parse(const std::string& text, const Location& where, const KeyPath& key,
                                        const Vocabulary& vocabulary, Report& report);

  // Empty, with the reason in `problem`, if values cannot be compared or a name has no value.
  std::optional<bool> holds(const ConditionLookup& lookup, std::string& problem) const;

  const std::string& text() const { return text_; }

  using Evaluate = std::function<ConditionValue(const ConditionLookup&)>;  // throws std::runtime_error

 private:
  Condition(std::string text, Evaluate evaluate) : text_(std::move(text)), evaluate_(std::move(evaluate)) {}

  std::string text_;
  Evaluate evaluate_;
};

}  // namespace tessera::spec
