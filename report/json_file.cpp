// SPDX-License-Identifier: Apache-2.0
// nlohmann's parser forgets where things stood, so the place of a mistake is looked for in the text once there is one.
#include "report/json_file.h"

#include <algorithm>
#include <optional>

#include "model/base/input_file.h"
#include "model/spec/diagnostics.h"
#include "report/json_schema.h"

namespace tessera::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

// Walks along a text that is known to be JSON.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  // Where the value of that path starts; where it is missing, the object it belongs into.
  std::size_t find(const std::vector<std::string>& path) {
    skip_space();
    for (const std::string& step : path) {
      const std::size_t here = at_;
      if (!enter(step)) return here;
    }
    return at_;
  }

 private:
  bool enter(const std::string& step) {
    const bool is_object = text_[at_] == '{';
    if (!is_object && text_[at_] != '[') return false;
    ++at_;
    for (std::size_t index = 0; skip_space(), text_[at_] != '}' && text_[at_] != ']'; ++index) {
      const std::string name = is_object ? key() : std::to_string(index);
      if (name == step) return true;
      skip_value();
      skip_space();
      if (text_[at_] == ',') ++at_;
    }
    return false;
  }

  std::string key() {
    const std::size_t from = at_;
    skip_string();
    const std::string name = Json::parse(text_.substr(from, at_ - from));
    skip_space();
    ++at_;  // the colon
    skip_space();
    return name;
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  void skip_string() {
    for (++at_; text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }
  void skip_value() {
    int depth = 0;
    do {
      skip_space();
      const char c = text_[at_];
      if (c == '"') {
        skip_string();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      ++at_;
      if (depth == 0 && c != '}' && c != ']') at_ = std::min(text_.find_first_of(",}] \t\r\n", at_), text_.size());
    } while (depth > 0);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

spec::Diagnostic diagnostic_at(const std::filesystem::path& path, std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  spec::Diagnostic diagnostic;
  diagnostic.file = path.string();
  diagnostic.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  diagnostic.column = 1 + static_cast<int>(std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start),
                                                         before.end(), starts_character));
  return diagnostic;
}

std::string dotted(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& step : path) text += (text.empty() ? "" : ".") + step;
  return text;
}

// Where brackets are nested deeper than in any file of ours; npos: nowhere. Whoever walks over the values recurses.
std::size_t too_deep(std::string_view text) {
  constexpr int kMaxDepth = 64;
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted && c == '\\') ++i;
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if ((c == '{' || c == '[') && ++depth > kMaxDepth) return i;
    if (c == '}' || c == ']') --depth;
  }
  return std::string_view::npos;
}

Json parsed(const std::filesystem::path& path, const std::string& text) {
  const std::size_t deep = too_deep(text);
  if (deep != std::string_view::npos) {
    spec::Diagnostic diagnostic = diagnostic_at(path, text, deep);
    diagnostic.problem = "is nested too deep";
    throw spec::InputError({diagnostic});
  }
  try {
    return Json::parse(text);
  } catch (const Json::out_of_range&) {  // of a double; it does not tell where
    throw spec::InputError({{path.string(), 1, 1, "", "has a number that is out of range", "", ""}});
  } catch (const Json::parse_error& error) {
    spec::Diagnostic diagnostic = diagnostic_at(path, text, error.byte > 0 ? error.byte - 1 : 0);
    diagnostic.problem = error.byte > text.size() ? "ends too early: it was cut off" : "is not JSON";
    throw spec::InputError({diagnostic});
  }
}

}  // namespace

Json read_json_file(const std::filesystem::path& path, std::initializer_list<std::string_view> schemas) {
  std::string problem;
  const std::optional<std::string> text = read_input_file(path, kMaxBytes, problem);
  if (!text) throw spec::InputError({{path.string(), 1, 1, "", problem, "", ""}});
  Json json = parsed(path, *text);
  std::vector<spec::Diagnostic> diagnostics;
  for (const std::string_view schema : schemas) {
    for (const SchemaMistake& mistake : schema_mistakes(json, Json::parse(schema))) {
      spec::Diagnostic diagnostic = diagnostic_at(path, *text, Walker(*text).find(mistake.path));
      diagnostic.key = dotted(mistake.path);
      diagnostic.problem = mistake.problem;
      diagnostic.value = mistake.value;
      diagnostic.allowed = mistake.allowed;
      diagnostics.push_back(diagnostic);
    }
  }
  if (!diagnostics.empty()) throw spec::InputError(diagnostics);
  return json;
}

}  // namespace tessera::report
