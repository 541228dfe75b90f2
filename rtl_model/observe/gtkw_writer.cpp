// SPDX-License-Identifier: Apache-2.0
// Which signals stand together in GTKWave, and the save file's text.
#include "rtl_model/observe/gtkw_writer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "rtl_model/observe/vcd_writer.h"

namespace tessera::rtl_model {
namespace {

// Flags of a line in GTKWave's window.
constexpr const char* kGroupBegin = "@800200\n";
constexpr const char* kGroupEnd = "@1000200\n";
constexpr const char* kBits = "@28\n";
constexpr const char* kHexadecimal = "@22\n";

constexpr const char* kScheduler = "u_tsr_scheduler";
constexpr const char* kSm = "u_sm_";

// Parts of the scheduler that have a group of their own.
constexpr std::array<std::pair<const char*, const char*>, 7> kParts{{{"u_search", "Policy search"},
                                                                     {"u_engine", "Job engine"},
                                                                     {"u_lane", "Refill lane"},
                                                                     {"u_ksrt", "KSRT"},
                                                                     {"u_smst", "SMST"},
                                                                     {"u_active_queue", "Active queue"},
                                                                     {"u_command_buffers", "Command buffers"}}};

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

bool is_pin(const std::string& name) {
  const std::string stem = name.substr(0, name.find('['));
  const std::string end = stem.size() < 2 ? "" : stem.substr(stem.size() - 2);
  return end == "_o" || end == "_i";
}

bool is_sm(const std::string& instance) {
  const std::size_t digit = std::string(kSm).size();
  return starts_with(instance, kSm) && instance.size() > digit && instance[digit] >= '0' && instance[digit] <= '9';
}

// All SMs' slots would bury the rest: the first four tell how an SM fills and empties.
bool is_shown_of_sm(const std::string& name) {
  if (starts_with(name, "slot_")) {
    const std::size_t bracket = name.find('[');
    return bracket != std::string::npos && std::stoul(name.substr(bracket + 1)) < 4;
  }
  return is_pin(name) || name == "state_q" || name == "transfer_q";
}

// The group in which a signal stands; empty: in none.
std::string group_of(const std::vector<std::string>& path, const std::string& name) {
  if (path.empty()) return "";
  const std::string& instance = path.front();
  if (is_sm(instance)) return is_shown_of_sm(name) ? "SM " + instance.substr(std::string(kSm).size()) : "";
  if (path.size() == 1) return is_pin(name) && instance != "u_memory_channel" ? "Interfaces" : "";
  if (instance != kScheduler) return "";
  const auto part = std::find_if(kParts.begin(), kParts.end(), [&](const auto& p) { return p.first == path[1]; });
  return part == kParts.end() ? "" : part->second;
}

// Sorts signals into groups as the modules name them; groups stand in the order in which they first come up.
class Grouper final : public ISignalSink {
 public:
  struct Group {
    std::string title;
    std::string lines;
  };

  void enter(const std::string& instance) override { path_.push_back(instance); }
  void leave() override { path_.pop_back(); }
  void signal(const std::string& name, unsigned width, std::function<std::uint64_t()> /*value*/) override {
    const std::string title = group_of(path_, name);
    if (title.empty()) return;
    group(title).lines += (width == 1 ? kBits : kHexadecimal) + full_name(name) + vcd_range(width) + "\n";
  }

  const std::vector<Group>& groups() const { return groups_; }

 private:
  Group& group(const std::string& title) {
    const auto at = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.title == title; });
    return at != groups_.end() ? *at : groups_.emplace_back(Group{title, ""});
  }
  std::string full_name(const std::string& name) const {
    std::string result = kVcdRoot;
    for (const std::string& instance : path_) result += "." + vcd_name(instance);
    return result + "." + vcd_name(name);
  }

  std::vector<std::string> path_;
  std::vector<Group> groups_;
};

}  // namespace

void write_gtkw(std::ostream& out, const std::string& vcd_file_name, const IWatchedEngine& engine) {
  Grouper grouper;
  engine.list_signals(grouper);
  out << "[dumpfile] \"" << vcd_file_name << "\"\n[timestart] 0\n";
  for (const Grouper::Group& group : grouper.groups()) {
    out << kGroupBegin << "-" << group.title << "\n" << group.lines << kGroupEnd << "-" << group.title << "\n";
  }
}

}  // namespace tessera::rtl_model
