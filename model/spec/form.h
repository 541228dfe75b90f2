// SPDX-License-Identifier: Apache-2.0
// What a key may hold: messages, docs/guide/yaml_reference.md and the JSON Schemas tell it from the same numbers.
// Internal to model/spec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::spec {

// One way to write a value.
struct Shape {
  enum class Kind { kInteger, kDecimal, kBoolean, kWord, kText, kPath, kMapping, kSettings, kList };
  Kind kind = Kind::kMapping;
  std::string min, max;            // of a number, as decimals
  std::vector<std::string> words;  // kWord, kInteger: these alone; kMapping: its only keys; empty: all
  std::size_t max_length = 0;      // kText; 0: any
  std::string pattern;             // kText: a regular expression; empty: any
  bool is_string = false;          // kText: no number or boolean of YAML's looks like it
  std::string keys;                // whose keys a mapping has, or a text is one of; empty: those noted below it, or any
  bool has_one_key = false;        // kMapping
  std::vector<Shape> entries;      // kList: each has one of these
  std::size_t min_entries = 0;     // kList, kSettings
};

// The ways to write a value, and the words that tell them.
struct Form {
  std::string type;
  std::string allowed;
  std::vector<Shape> shapes;
};

Form number_form(std::string_view type, const std::string& min, const std::string& max);
// These integers.
Form integers_form(std::vector<std::string> values);
Form boolean_form();
Form word_form(std::vector<std::string> words);
// `pattern`: what each character is.
Form text_form(std::size_t max_length, std::string_view alphabet, std::string_view pattern);
Form path_form();
Form mapping_form();
// A mapping with the keys of a kind of file, or of a part of one.
Form keys_form(std::string keys);
// The path of a file, or the keys of one.
Form experiment_form();
Form gpu_form();
Form host_form();
Form application_form();
// `allowed`: of a text of any characters.
Form any_text_form(std::string allowed);
// Keys as --set has them, or those that `allowed` tells of.
Form settings_form();
Form free_keys_form(std::string allowed);
Form list_form(const Form& entry, std::size_t min_entries = 0);
Form either(const Form& one, const Form& other);

// `a, b, c`.
std::string joined(const std::vector<std::string_view>& words);

}  // namespace tessera::spec
