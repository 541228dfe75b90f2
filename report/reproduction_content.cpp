// SPDX-License-Identifier: Apache-2.0
// A figure that could not be drawn has no picture; its numbers are there all the same.
#include "report/reproduction_content.h"

#include <optional>
#include <string>

#include "model/base/input_file.h"
#include "report/json_file.h"
#include "report/pack.h"
#include "report/page_files.h"

namespace tessera::report {

using Json = nlohmann::ordered_json;

Json reproduction_content(const std::filesystem::path& folder) {
  constexpr std::size_t kMaxPictureBytes = std::size_t{16} << 20;
  Json content = read_json_file(folder / "reproduction.json", {page_file("reproduction.schema.json")});
  content.erase("spec");
  content["pictures"] = Json::object();
  for (const Json& figure : content.at("figures")) {
    const std::string name = figure.at("figure");
    if (name.find('/') != std::string::npos) continue;  // no figure of ours
    std::string problem;
    const std::optional<std::string> picture = read_input_file(folder / (name + ".svg"), kMaxPictureBytes, problem);
    if (picture) content["pictures"][name] = base64(*picture);
  }
  return content;
}

}  // namespace tessera::report
