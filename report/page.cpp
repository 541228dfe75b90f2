// SPDX-License-Identifier: Apache-2.0
// Which kind of results a folder holds, and the page's frame around the bundle and the data.
#include "report/page.h"

#include <fmt/format.h>

#include "model/spec/diagnostics.h"
#include "model/spec/json_text.h"
#include "report/pack.h"
#include "report/page_files.h"
#include "report/reproduction_content.h"
#include "report/run_content.h"
#include "report/sweep_content.h"

namespace tessera::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const fs::path& folder, const std::string& problem, const std::string& allowed = "") {
  throw spec::InputError({{folder.string(), 1, 1, "", problem, "", allowed}});
}

void check_folder(const fs::path& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (!fs::exists(status)) refuse(folder, "there is no such folder");
  if (!fs::is_directory(status)) refuse(folder, "is not a directory", "the results of run, sweep or reproduce");
}

bool holds(const fs::path& folder, const char* name) {
  std::error_code ignored;
  return fs::exists(folder / name, ignored);
}

// As the user calls it, without where it is.
std::string name_of(const fs::path& folder) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(folder, error);
  return (error ? folder : whole).filename().string();
}

// `</script>` in data or program would end the element that holds it.
std::string without_tags(std::string json) {
  for (std::size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at))
    json.replace(at, 1, "\\u003c");
  return json;
}

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else {
      html += c;
    }
  }
  return html;
}

std::string_view without_last_line_end(std::string_view text) {
  return !text.empty() && text.back() == '\n' ? text.substr(0, text.size() - 1) : text;
}

}  // namespace

Content content_of(const fs::path& folder) {
  check_folder(folder);
  Content content;
  if (holds(folder, "summary.json")) {
    content.data = {{"kind", "run"}, {"runs", Json::array({run_content(folder, content.blocks)})}};
    content.title = content.data.at("runs")[0].at("summary").at("spec").at("name");
  } else if (holds(folder, "sweep.json")) {
    content.data = {{"kind", "sweep"}, {"sweep", sweep_content(folder, content.blocks)}};
    content.title = content.data.at("sweep").at("name");
  } else if (holds(folder, "reproduction.json")) {
    content.data = {{"kind", "reproduction"}, {"reproduction", reproduction_content(folder)}};
    content.title = content.data.at("reproduction").at("name");
  } else {
    refuse(folder, "holds no results", "a folder with summary.json, sweep.json or reproduction.json");
  }
  return content;
}

Content comparison_of(const fs::path& a, const fs::path& b) {
  Content content;
  content.data = {{"kind", "comparison"}, {"runs", Json::array()}};
  for (const fs::path& folder : {a, b}) {
    check_folder(folder);
    if (!holds(folder, "summary.json")) refuse(folder, "holds no results of a run", "a folder with summary.json");
    Json run = run_content(folder, content.blocks);
    run["label"] = name_of(folder);
    content.data["runs"].push_back(std::move(run));
  }
  content.title = fmt::format("{} and {}", name_of(a), name_of(b));
  return content;
}

std::string html_of(const Content& content) {
  std::string html = kPageStart;
  html += fmt::format(R"({} -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<title>{} - Tessera</title>
<style>{}</style>
</head>
<body>
<noscript>This page draws its tables and charts itself: it needs JavaScript.</noscript>
<script type="application/json" id="data">{}</script>
)",
                      TESSERA_VERSION, escaped(content.title), without_last_line_end(page_file("page.css")),
                      without_tags(spec::json_text(content.data)));
  for (std::size_t i = 0; i < content.blocks.size(); ++i) {
    html += fmt::format("<script type=\"text/plain\" id=\"block-{}\">", i) + base64(content.blocks[i]) + "</script>\n";
  }
  html += "<script>";
  html += without_last_line_end(page_file("page.js"));
  return html + "</script>\n</body>\n</html>\n";
}

}  // namespace tessera::report
