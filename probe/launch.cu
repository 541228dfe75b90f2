// SPDX-License-Identifier: Apache-2.0
// Experiment: gaps between kernels in a stream and in a graph, and what a launch takes.
// Why: dispatch_cycles, graph_dispatch_cycles and the link's latency of the GPU file; launch_us and interrupt_us of a
// host file. Unit: ns between kernels, us of the host. Check: a kernel of a graph follows no later than one of a
// stream; a wait returns after the first thread block ran.
#include "common.h"
#include "kernels.h"

namespace probe {
namespace {

constexpr int kKernels = 200;
constexpr int kLaunches = 300, kWarmUp = 50;

void print(const Rows& rows, const char* what, int grid, const std::vector<double>& values) {
  std::fprintf(rows.file(), "%s,%d,%zu,%.2f,%.2f,%.2f,%.2f\n", what, grid, values.size(), quantile(values, 0),
               quantile(values, 0.5), quantile(values, 0.9), quantile(values, 1));
}

// A long kernel first, so that all others are queued when it ends.
void put_kernels(const Card& card, cudaStream_t stream, int grid, double first_us, Span* spans) {
  launch(spin_kernel, card.num_sms(), 32, 0, stream, card.cycles(first_us), nullptr);
  for (int i = 0; i < kKernels; ++i) launch(work_kernel, grid, 128, 0, stream, 2000U, spans + i, nullptr);
}

std::vector<double> gaps_ns(const Card& card, int grid, bool is_graph, std::vector<double>& lengths) {
  Span* spans = device_array<Span>(kKernels);
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
  if (is_graph) {
    cudaGraph_t graph{};
    cudaGraphExec_t executable{};
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    put_kernels(card, stream, grid, 100, spans);
    check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    check(cudaGraphInstantiateWithFlags(&executable, graph, 0), "cudaGraphInstantiate");
    for (int i = 0; i < 2; ++i) {  // the first launch uploads it
      check(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
      check(cudaStreamSynchronize(stream), "a graph");
    }
    check(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
    check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  } else {
    put_kernels(card, stream, grid, 4000, spans);
    check(cudaStreamSynchronize(stream), "a stream");
  }
  const std::vector<Span> seen = copied(spans, kKernels);
  std::vector<double> gaps;
  for (int i = 1; i < kKernels; ++i) {
    gaps.push_back(static_cast<double>(seen[i].begin_ns) - static_cast<double>(seen[i - 1].end_ns));
    lengths.push_back(static_cast<double>(seen[i].end_ns - seen[i].begin_ns));
  }
  check(cudaFree(spans), "cudaFree");
  check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  return gaps;
}

}  // namespace

Doubts measure_launch(const std::string& folder) {
  const Card card = open_card();
  const Rows rows(folder, "launch.csv", "what,grid,samples,min,p50,p90,max");
  Doubts doubts;
  for (const int grid : {1, card.num_sms()}) {
    std::vector<double> in_stream, in_graph;
    const std::vector<double> stream = gaps_ns(card, grid, false, in_stream);
    const std::vector<double> graph = gaps_ns(card, grid, true, in_graph);
    print(rows, "gap_stream_ns", grid, stream);
    print(rows, "kernel_stream_ns", grid, in_stream);
    print(rows, "gap_graph_ns", grid, graph);
    print(rows, "kernel_graph_ns", grid, in_graph);
    if (quantile(graph, 0.5) > quantile(stream, 0.5))
      doubts.push_back("kernels of a graph follow later than of a stream");
  }
  volatile u64* flag = host_flag();
  std::vector<double> call, first, wait;
  for (int i = 0; i < kLaunches; ++i) {
    flag[0] = 0;
    const double begin = now_us();
    launch(flag_kernel, 1, 32, 0, nullptr, flag);
    const double called = now_us();
    while (flag[0] == 0) {
    }
    const double ran = now_us();
    check(cudaDeviceSynchronize(), "flag_kernel");
    const double returned = now_us();
    if (i < kWarmUp) continue;
    call.push_back(called - begin);
    first.push_back(ran - begin);
    wait.push_back(returned - begin);
  }
  print(rows, "host_call_us", 1, call);
  print(rows, "host_to_first_block_us", 1, first);
  print(rows, "host_to_sync_us", 1, wait);
  if (quantile(wait, 0.5) < quantile(first, 0.5)) doubts.push_back("a wait returns before its kernel ran");
  return doubts;
}

}  // namespace probe
