// SPDX-License-Identifier: Apache-2.0
// Allowed values: a rule turns a node into a C++ value, or says what is wrong and what is allowed. Internal to
// model/spec; used by MappingReader.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/spec/document.h"
#include "model/spec/form.h"
#include "model/spec/names.h"

namespace tessera::spec {

struct Problem {
  std::string problem;
  std::string allowed;
};

template <typename T>
using Ruled = std::variant<T, Problem>;

// A plain decimal number with at most `digits` places after the point, as value * 10^digits; digits == 0: an integer.
struct Number {
  std::uint64_t min = 0;  // of the scaled value
  std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
  int digits = 0;
  Ruled<std::uint64_t> parse(const Node& node) const;
  std::string text(std::uint64_t value) const;
  Form form() const;
};

// The same with a sign if negative: -max .. max.
struct SignedNumber {
  std::uint64_t max = 0;  // of the scaled value
  int digits = 0;
  Ruled<std::int64_t> parse(const Node& node) const;
  std::string text(std::int64_t value) const;
  Form form() const;
};

inline constexpr int kTimeDigits = 6;       // us -> ps
inline constexpr int kFrequencyDigits = 6;  // MHz -> Hz
inline constexpr std::uint64_t kHzPerMhz = 1'000'000;
inline constexpr std::uint64_t kFastestIssue = 1'000'000 * kHzPerMhz;  // of thread blocks
inline constexpr int kRateDigits = 9;                                  // GB/s -> bytes/s
inline constexpr int kPpmDigits = 6;                                   // a share of one -> parts per million

// The longest time a Spec can state, 1000 s: in cycles it stays far below kNever at any clock that the loader accepts,
// and its decimal text has at most 15 digits, so a JSON number holds it exactly.
inline constexpr std::uint64_t kMaxTimePs = 1000 * kPicosecondsPerSecond;
inline constexpr Number kTime{0, kMaxTimePs, kTimeDigits};
inline constexpr Number kPositiveTime{1, kMaxTimePs, kTimeDigits};

struct Boolean {
  Ruled<bool> parse(const Node& node) const;
  std::string text(bool value) const { return value ? "true" : "false"; }
  Form form() const { return boolean_form(); }
};

// Printable ASCII: names go into waveforms, tables and traces.
struct Text {
  Ruled<std::string> parse(const Node& node) const;
  std::string text(const std::string& value) const { return value; }
  Form form() const;
};

// [a-z0-9_-]: an experiment's name is also a folder name.
struct FolderName {
  Ruled<std::string> parse(const Node& node) const;
  std::string text(const std::string& value) const { return value; }
  Form form() const;
};

// The problem "not one of `words`".
Problem not_one_of(const Node& node, const std::vector<std::string_view>& words);
// The problem of a known word that `cores` do not support.
Problem not_in(Cores cores, const std::vector<std::string_view>& words);
// Of the words of a choice.
Form form_of(const std::vector<std::string_view>& words);

template <typename E>
struct Choice {
  Ruled<E> parse(const Node& node) const {
    if (node.kind == Node::Kind::kScalar) {
      if (const auto value = spec::parse<E>(node.text)) return *value;
    }
    return not_one_of(node, words());
  }
  std::string text(E value) const { return std::string(to_string(value)); }
  Form form() const { return form_of(words()); }

 private:
  static std::vector<std::string_view> words() {
    std::vector<std::string_view> words;
    words.reserve(kNames<E>.size());
    for (const Name<E>& name : kNames<E>) words.push_back(name.text);
    return words;
  }
};

// A policy or a technique that all of these cores have.
template <typename E>
struct ChoiceOn {
  Cores cores;

  Ruled<E> parse(const Node& node) const {
    const auto value = node.kind == Node::Kind::kScalar ? spec::parse<E>(node.text) : std::nullopt;
    if (value && includes(info(*value).cores, cores)) return *value;
    return value ? not_in(cores, words()) : not_one_of(node, words());
  }
  std::string text(E value) const { return std::string(to_string(value)); }
  Form form() const { return form_of(words()); }

 private:
  std::vector<std::string_view> words() const {
    std::vector<std::string_view> words;
    for (const Name<E>& name : kNames<E>) {
      if (includes(info(name.value).cores, cores)) words.push_back(name.text);
    }
    return words;
  }
};

}  // namespace tessera::spec
