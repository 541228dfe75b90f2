// SPDX-License-Identifier: Apache-2.0
// A read goes from the file to the GPU, a write from the GPU to the file.
#include "tlm/host/io_server.h"

#include <algorithm>

#include "model/record/numbers.h"
#include "model/spec/spec.h"

namespace tessera::tlm_model {

IoServer::IoServer(const sc_core::sc_module_name& name, const spec::Spec& spec, std::uint32_t process, GpuPort& gpu,
                   InterruptService& interrupts, RpcMemory& rpc, Disk& disk, record::RecordLog& log)
    : sc_module(name),
      spec_(spec),
      process_(process),
      rpc_(rpc),
      disk_(disk),
      log_(log),
      time_(spec.gpu.clock_hz),
      writer_(gpu, process),
      queue_(interrupts.queue(process, spec.applications[spec.processes[process].application].num_streams())) {
  queue_.thread = nullptr;  // this one waits for it, on a core of its own
  SC_HAS_PROCESS(IoServer);
  SC_THREAD(run);
}

void IoServer::accept(const LoopRequest& request) {
  requests_.push_back(request);
  ++num_asked_;
  asked_.notify(sc_core::SC_ZERO_TIME);
}

void IoServer::run() {
  for (;;) {
    while (requests_.empty()) wait(asked_);
    const LoopRequest request = requests_.front();
    requests_.pop_front();
    serve(request);
  }
}

void IoServer::serve(const LoopRequest& request) {
  const Cycle cpu = time_.clock().cycles_in(spec_.host.io->request);
  if (cpu > 0) wait(time_.until(time_.now() + cpu));
  if (request.io.direction == spec::IoDirection::kRead) {
    access_file(request.io);
    copy(request.io);
  } else {
    copy(request.io);
    access_file(request.io);
  }
  record::Record done;
  done.cycle = time_.now();
  done.kind = record::Kind::kIoDone;
  done.process = static_cast<std::uint16_t>(process_);
  done.tb = request.tb;
  done.bytes = request.io.bytes;
  record::number::is_write(done) = request.io.direction == spec::IoDirection::kWrite ? 1 : 0;
  done.cycles = time_.now() - request.cycle;
  log_.emit(time_.now(), done);
  ++num_served_;
  rpc_.complete_io(process_, request.tb);
  served_.notify(sc_core::SC_ZERO_TIME);
}

void IoServer::access_file(const cooperative::Step& io) {
  if (io.medium == spec::IoMedium::kDisk) return disk_.transfer(process_, io.bytes);
  const Cycle cycles = mul_div_ceil(io.bytes, spec_.gpu.clock_hz, spec_.host.io->cache_bytes_per_s);
  wait(time_.until(time_.now() + std::max<Cycle>(1, cycles)));
}

// By the GPU's data-transfer engine, the ordinary way.
void IoServer::copy(const cooperative::Step& io) {
  Command command = fence_of(queue_);
  command.opcode = Opcode::kCopy;
  command.flags |= kTimingOnly;
  command.bytes = io.bytes;
  command.direction = io.direction == spec::IoDirection::kWrite ? 1 : 0;
  writer_.write(queue_, {command});
  writer_.ring(queue_);
  wait_until_passed({&queue_, queue_.submitted});
}

}  // namespace tessera::tlm_model
