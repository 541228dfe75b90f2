// SPDX-License-Identifier: Apache-2.0
// What may stand behind an option: checks whose descriptions are what help shows and completion offers.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tessera::app {

using Words = std::vector<std::string>;

// One of these words. They are asked for when they are needed: some are read from files.
class OneOf : public CLI::Validator {
 public:
  explicit OneOf(std::function<Words()> words);
  explicit OneOf(Words words);
};

// Anything but the empty string, which is taken for an option that is not there otherwise.
class NotEmpty : public CLI::Validator {
 public:
  NotEmpty();
};

// The name of a file; help and completion tell these words as well.
class FileOr : public NotEmpty {
 public:
  explicit FileOr(std::function<Words()> words);
};

// A number within bounds; not a number is none.
class Between : public CLI::Validator {
 public:
  Between(double min, double max);
};

// What the checks of an option allow: its words; none: anything.
Words words_of(const CLI::Option& option);
// What an option's value is, as help writes it: FILE, FOLDER, N, ...; without what its checks say.
std::string kind_of(const CLI::Option& option);
// What the checks say that is not a list of words: "1 to 1024"; empty: nothing.
std::string bounds_of(const CLI::Option& option);

// An option that takes one of these words for one of these values.
template <typename Value, typename E>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, Value& value,
                        const std::vector<std::pair<std::string, E>>& choices, const std::string& description) {
  Words words;
  for (const auto& choice : choices) words.push_back(choice.first);
  const auto choose = [&value, choices](const std::string& word) {
    for (const auto& choice : choices) {
      if (choice.first == word) value = choice.second;
    }
  };
  return command.add_option_function<std::string>(flag, choose, description)->check(OneOf(words));
}

}  // namespace tessera::app
