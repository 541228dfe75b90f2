// SPDX-License-Identifier: Apache-2.0
// Recursive descent; what it parses becomes a tree of closures.
// Internal to model/spec.
#include "model/spec/sweep/condition.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "model/spec/nearest.h"

namespace tessera::spec {
namespace {

using Evaluate = Condition::Evaluate;
using Vocabulary = Condition::Vocabulary;

constexpr std::size_t kMaxConditionDepth = 64;  // of parentheses and `not`

// Where in the text, and what is wrong there.
struct ConditionMistake {
  std::size_t at = 0;
  std::string problem, value, allowed;
};

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && std::isfinite(number);
  return is_whole ? std::optional(number) : std::nullopt;
}

std::string kind_of(const ConditionValue& value) {
  const char* const kinds[] = {"true or false", "a number", "a word"};
  return kinds[value.index()];
}

double number_of(const ConditionValue& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  throw std::runtime_error(kind_of(value) + " where a number is needed");
}

bool truth_of(const ConditionValue& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth;
  throw std::runtime_error(kind_of(value) + " where a comparison is needed");
}

bool compare(const std::string& sign, const ConditionValue& a, const ConditionValue& b) {
  if (a.index() != b.index()) throw std::runtime_error("compares " + kind_of(a) + " with " + kind_of(b));
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  const double left = number_of(a);
  const double right = number_of(b);
  if (sign == "<") return left < right;
  if (sign == "<=") return left <= right;
  return sign == ">" ? left > right : left >= right;
}

double calculate(char sign, double a, double b) {
  switch (sign) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      if (b == 0) throw std::runtime_error("divides by zero");
      return a / b;
  }
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

class ConditionParser {
 public:
  ConditionParser(const std::string& text, const Vocabulary& vocabulary) : text_(text), vocabulary_(vocabulary) {}

  Evaluate parse() {
    Evaluate whole = any_of();
    skip_blanks();
    if (at_ < text_.size()) fail("is not understood from here", text_.substr(at_), "and, or, == != < <= > >= + - * /");
    return whole;
  }

 private:
  [[noreturn]] void fail(std::string problem, std::string value, std::string allowed) const {
    throw ConditionMistake{at_, std::move(problem), std::move(value), std::move(allowed)};
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\n", at_), text_.size()); }

  std::string word_ahead() {
    skip_blanks();
    std::size_t end = at_;
    while (end < text_.size() && is_word_character(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }

  bool take_word(const std::string& word) {
    if (word_ahead() != word) return false;
    at_ += word.size();
    return true;
  }

  bool take_sign(const std::string& sign) {
    skip_blanks();
    if (text_.compare(at_, sign.size(), sign) != 0) return false;
    at_ += sign.size();
    return true;
  }

  Evaluate any_of() {
    Evaluate left = all_of();
    while (take_word("or")) {
      left = [left, right = all_of()](const ConditionLookup& lookup) -> ConditionValue {
        return truth_of(left(lookup)) || truth_of(right(lookup));
      };
    }
    return left;
  }

  Evaluate all_of() {
    Evaluate left = negation();
    while (take_word("and")) {
      left = [left, right = negation()](const ConditionLookup& lookup) -> ConditionValue {
        return truth_of(left(lookup)) && truth_of(right(lookup));
      };
    }
    return left;
  }

  Evaluate negation() {
    if (++depth_ > kMaxConditionDepth) fail("is nested too deeply", "", "");
    Evaluate result = take_word("not") ? opposite(negation()) : comparison();
    --depth_;
    return result;
  }

  static Evaluate opposite(Evaluate inner) {
    return [inner = std::move(inner)](const ConditionLookup& lookup) -> ConditionValue {
      return !truth_of(inner(lookup));
    };
  }

  Evaluate comparison() {
    Evaluate left = sum();
    for (const char* sign : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!take_sign(sign)) continue;
      return [left, right = sum(), sign = std::string(sign)](const ConditionLookup& lookup) -> ConditionValue {
        return compare(sign, left(lookup), right(lookup));
      };
    }
    return left;
  }

  Evaluate sum() {
    return chain("+-", [this] { return product(); });
  }
  Evaluate product() {
    return chain("*/", [this] { return atom(); });
  }

  template <typename Operand>
  Evaluate chain(std::string_view signs, Operand operand) {
    Evaluate left = operand();
    for (;;) {
      skip_blanks();
      if (at_ >= text_.size() || signs.find(text_[at_]) == std::string_view::npos) return left;
      const char sign = text_[at_++];
      left = [left, right = operand(), sign](const ConditionLookup& lookup) -> ConditionValue {
        return calculate(sign, number_of(left(lookup)), number_of(right(lookup)));
      };
    }
  }

  Evaluate atom() {
    if (take_sign("(")) {
      Evaluate inner = any_of();
      if (!take_sign(")")) fail("lacks a closing parenthesis", "", "");
      return inner;
    }
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '\'') return quoted_text();
    const std::string word = word_ahead();
    if (word.empty()) fail("lacks a name or a number", text_.substr(at_), "");
    Evaluate result = meaning_of(word);
    at_ += word.size();
    return result;
  }

  static Evaluate constant(ConditionValue value) {
    return [value = std::move(value)](const ConditionLookup&) { return value; };
  }

  Evaluate quoted_text() {
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == std::string::npos) fail("lacks the closing quote", text_.substr(at_), "");
    const std::string word = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return constant(word);
  }

  Evaluate meaning_of(const std::string& word) const {
    if (vocabulary_.is_name(word)) {
      return [word](const ConditionLookup& lookup) {
        auto value = lookup(word);
        if (!value) throw std::runtime_error(word + " has no value");
        return *value;
      };
    }
    const ConditionValue value = condition_value(word);
    const auto& words = vocabulary_.words;
    const bool is_word = std::find(words.begin(), words.end(), word) != words.end();
    if (!std::holds_alternative<std::string>(value) || is_word) return constant(value);
    const std::vector<std::string_view> names(vocabulary_.names.begin(), vocabulary_.names.end());
    fail("names no axis and no key", word, fmt::format("nearest is {}; or 'quoted text'", nearest(word, names)));
  }

  const std::string& text_;
  const Vocabulary& vocabulary_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

ConditionValue condition_value(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  if (const auto number = number_in(text)) return *number;
  return text;
}

std::optional<Condition> Condition::parse(const std::string& text, const Location& where, const KeyPath& key,
                                          const Vocabulary& vocabulary, Report& report) {
  try {
    return Condition(text, ConditionParser(text, vocabulary).parse());
  } catch (const ConditionMistake& mistake) {
    Location place = where;
    place.column += static_cast<int>(mistake.at);
    report.add(place, key, mistake.problem, mistake.value, mistake.allowed);
    return std::nullopt;
  }
}

std::optional<bool> Condition::holds(const ConditionLookup& lookup, std::string& problem) const {
  try {
    return truth_of(evaluate_(lookup));
  } catch (const std::runtime_error& error) {
    problem = error.what();
    return std::nullopt;
  }
}

}  // namespace tessera::spec
