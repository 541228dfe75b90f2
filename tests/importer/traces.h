// SPDX-License-Identifier: Apache-2.0
// Profiles as text, their import into a folder of their own, and what is expected of it.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "importer/import.h"
#include "model/spec/loader.h"
#include "tests/importer/profiles.h"

namespace tessera::importer::test {

class Import {
 public:
  Import() : folder_("nothing", "") {
    options.gpus = {spec::load_gpu(std::filesystem::path(TESSERA_SOURCE_DIR) / "configs/gpus/a100.yaml"),
                    spec::load_gpu(std::filesystem::path(TESSERA_SOURCE_DIR) / "configs/gpus/v100.yaml")};
  }
  ImportResult of(const std::string& trace) {
    folder_.write("trace.json", trace);
    return of_file(folder_.folder() / "trace.json");
  }
  ImportResult of_file(const std::filesystem::path& path) {
    return import_profiles({path}, options, folder_.folder(), [](const std::string&) {});
  }
  std::string text_of(const std::string& file) const {
    std::ifstream in(folder_.folder() / file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  const std::filesystem::path& folder() const { return folder_.folder(); }

  ImportOptions options;

 private:
  TemporaryFile folder_;
};

// Chrome JSON of kernels and their launches; times in us.
class Trace {
 public:
  Trace& kernel(const std::string& name, double start, double duration, int stream, double called, int tbs = 200) {
    call(called, 3);
    return work(name, start, duration, stream, tbs);
  }
  // A launch; what follows it as work() is of its correlation.
  Trace& call(double start, double duration, int thread = 6) {
    ++correlation_;
    add(fmt::format(R"({{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":5,"tid":{},"ts":{},"dur":{},)"
                    R"("args":{{"correlation":{}}}}})",
                    thread, start, duration, correlation_));
    return *this;
  }
  Trace& work(const std::string& name, double start, double duration, int stream, int tbs = 200) {
    add(fmt::format(R"({{"ph":"X","cat":"kernel","name":"{}","pid":0,"tid":{},"ts":{},"dur":{},"args":{{"device":0,)"
                    R"("context":1,"stream":{},"correlation":{},"grid":[{},1,1],"block":[128,1,1],)"
                    R"("registers per thread":32,"shared memory":0}}}})",
                    name, stream, start, duration, stream, correlation_, tbs));
    return *this;
  }
  Trace& work_without_shape(const std::string& name, double start, double duration, int stream) {
    add(fmt::format(R"({{"ph":"X","cat":"kernel","name":"{}","pid":0,"tid":{},"ts":{},"dur":{},"args":{{"device":0,)"
                    R"("context":1,"stream":{},"correlation":{}}}}})",
                    name, stream, start, duration, stream, correlation_));
    return *this;
  }
  // A call that launches kernels in one go; each has a name, a start and a duration.
  struct Node {
    std::string name;
    double start;
    double duration;
  };
  Trace& graph(double called, double call_takes, const std::vector<Node>& nodes) {
    ++correlation_;
    add(fmt::format(R"({{"ph":"X","cat":"cuda_runtime","name":"cudaGraphLaunch","pid":5,"tid":6,"ts":{},"dur":{},)"
                    R"("args":{{"correlation":{}}}}})",
                    called, call_takes, correlation_));
    for (const Node& node : nodes) work(node.name, node.start, node.duration, 7, 24);
    return *this;
  }
  Trace& wait(double start, double duration) {
    add(fmt::format(
        R"({{"ph":"X","cat":"cuda_runtime","name":"cudaDeviceSynchronize","pid":5,"tid":6,"ts":{},"dur":{}}})", start,
        duration));
    return *this;
  }
  std::string text() const {
    return R"({"deviceProperties":[{"id":0,"name":"NVIDIA A100","numSms":108}],"host_name":"secret-machine","traceEvents":[)" +
           events_ + "]}";
  }

 private:
  void add(const std::string& event) { events_ += (events_.empty() ? "" : ",\n") + event; }
  std::string events_;
  int correlation_ = 0;
};

inline void expect_faithful(const ImportedApplication& application) {
  ASSERT_TRUE(application.fidelity);
  EXPECT_LE(std::abs(application.fidelity->span_error()), kMaxSpanError);
  for (const KernelFidelity& kernel : application.fidelity->kernels) {
    EXPECT_EQ(kernel.num_beyond, 0U) << kernel.name << ": " << kernel.recorded_us << " us recorded, "
                                     << kernel.simulated_us << " us simulated";
  }
}

}  // namespace tessera::importer::test
