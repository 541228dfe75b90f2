// SPDX-License-Identifier: Apache-2.0
#include "tests/ip/device_builder.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cosim/core_cache.h"
#include "cosim/objects.h"
#include "cosim/source_tree.h"
#include "cosim/text_file.h"
#include "cosim/tool.h"
#include "cosim/toolchain.h"

namespace tessera::ip {
namespace {

namespace fs = std::filesystem;

using cosim::Arguments;

const fs::path kRoot = TESSERA_SOURCE_DIR;
constexpr const char* kLibrary = "device.so";
constexpr const char* kRuntimeHooks = "cosim/glue/verilator_hooks.cpp";

// RAMs, for set_counter(); and for set_sm_time().
constexpr const char* kPublic =
    "`verilator_config\npublic_flat_rw -module \"tsr_sram_1r1w\" -var \"mem_q\"\n"
    "public_flat_rw -module \"tsr_usage\" -var \"now_q\"\n";

struct Design {
  std::string top;
  std::string glue;
  Sizes sizes;
};

Arguments verilog_files() {
  Arguments names;
  for (const char* list : {"rtl/rtl.f", "rtl/ip.f"}) {
    for (const cosim::Source& source : cosim::listed_in(kRoot, list)) names.push_back(source.name.string());
  }
  names.emplace_back("rtl/tsr_input_assumptions.sv");
  return names;
}

Arguments headers() {
  Arguments names;
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "rtl")) {
    if (entry.path().extension() == ".vh") names.push_back("rtl/" + entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Arguments verilator_call(const Design& design) {
  const Sizes& sizes = design.sizes;
  Arguments call{"verilator", "--cc",    "-O3",    "--no-timing", "-Wno-fatal",   "--assert", "--x-initial", "unique",
                 "--prefix",  "Vdevice", "--Mdir", "verilated",   "--top-module", design.top, "-Irtl"};
  const auto set = [&call](const char* name, unsigned value) { call.push_back(fmt::format("-G{}={}", name, value)); };
  set("NUM_SMS", sizes.num_sms);
  set("MAX_TBS_PER_SM", sizes.max_tbs_per_sm);
  set("NUM_KSRS", sizes.num_ksrs);
  set("NUM_COMMAND_BUFFERS", sizes.num_command_buffers);
  set("NUM_CONTEXTS", sizes.num_contexts);
  set("DONE_DEPTH", sizes.done_depth);
  set("POLICIES", sizes.policies);
  set("KEPT_TURN", sizes.kept_turn);
  if (design.top == "tsr_ip") {  // no part of the front end
    set("LINGER", 1);
    set("TAG_WIDTH", 0);
  }
  call.emplace_back("public.vlt");
  const Arguments files = verilog_files();
  call.insert(call.end(), files.begin(), files.end());
  return call;
}

// All that makes a difference to the result.
std::string key_of(const Design& design) {
  std::string key = cosim::toolchain_key({}) + cosim::joined(verilator_call(design)) + kPublic;
  Arguments files = verilog_files();
  const Arguments more = headers();
  files.insert(files.end(), more.begin(), more.end());
  files.insert(files.end(), {design.glue, kRuntimeHooks, "tests/ip/glue/axi_binding.h", "cosim/glue/packed.h",
                             "tests/ip/devices.h", "rtl_model/interfaces/pins.h", "model/base/sm_set.h"});
  for (const std::string& file : files) key += cosim::read_text(kRoot / file);
  return cosim::fingerprint(key);
}

void build(const Design& design, const fs::path& folder) {
  for (const char* part : {"rtl", "rtl_model", "model", "cosim", "tests"}) {
    fs::create_directory_symlink(kRoot / part, folder / part);
  }
  cosim::write_text(folder / "public.vlt", kPublic);
  cosim::run_tools({verilator_call(design)}, folder);

  // Many small files with the same large headers: compiled as one.
  std::string all;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "verilated")) {
    if (entry.path().extension() == ".cpp")
      all += fmt::format("#include \"verilated/{}\"\n", entry.path().filename().string());
  }
  cosim::write_text(folder / "all.cpp", all);
  std::vector<std::string> objects = cosim::compile({}, folder, {design.glue, kRuntimeHooks, "all.cpp"});
  objects.push_back(cosim::runtime_object({}, kRoot).string());
  cosim::link(cosim::linker_call({}), objects, kLibrary, folder);
}

template <typename Make>
auto make_device(const Design& design) {
  const fs::path library =
      cosim::cached(key_of(design), kLibrary, [&](const fs::path& folder) { build(design, folder); });
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const make = handle == nullptr ? nullptr : ::dlsym(handle, "make_device");
  if (make == nullptr) throw cosim::BuildError(std::string("cannot load the device: ") + ::dlerror());
  return reinterpret_cast<Make*>(make)();
}

}  // namespace

std::unique_ptr<IFrontEnd> make_front_end(const Sizes& sizes) {
  return std::unique_ptr<IFrontEnd>(
      make_device<MakeFrontEnd>({"tsr_axi_lite", "tests/ip/glue/front_end_glue.cpp", sizes}));
}

std::unique_ptr<IIp> make_ip(const Sizes& sizes) {
  return std::unique_ptr<IIp>(make_device<MakeIp>({"tsr_ip", "tests/ip/glue/ip_glue.cpp", sizes}));
}

}  // namespace tessera::ip
