// SPDX-License-Identifier: Apache-2.0
#include "tests/ip/kernel_ledger.h"

namespace tessera::ip {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): the pins' types

void KernelLedger::expect(bool holds, const char* rule) {
  if (!holds && violation_.empty()) violation_ = rule;
}

void KernelLedger::launch(std::uint64_t descriptor, std::uint32_t context, std::uint32_t num_tbs,
                          std::uint32_t tbs_per_sm) {
  Kernel kernel;
  kernel.context = context;
  kernel.num_tbs = num_tbs;
  kernel.tbs_per_sm = tbs_per_sm;
  expect(kernels_.emplace(descriptor, kernel).second, "descriptors differ");
}

void KernelLedger::cycle(const SchedulerInputs& in, const SchedulerOutputs& out) {
  if (!violation_.empty()) return;
  if (out.kernel_done.valid) finish(out.kernel_done);
  if (out.sm_control.valid && out.sm_control.kind == SmControlKind::kSetup) set_up(out.sm_control);
  if (out.dispatch.valid) dispatch(out.dispatch);
  if (in.handle.valid) {
    Sm& sm = sms_[in.handle.sm];
    expect(sm.kernel->saved.emplace(in.handle.tb, in.handle.stack_pointer).second, "a thread block is saved once");
    --sm.num_resident;
  }
  if (in.sm_event.valid && out.sm_event_ready && in.sm_event.kind == SmEventKind::kTbDone) {
    ++sms_[in.sm_event.sm].kernel->num_finished;
    --sms_[in.sm_event.sm].num_resident;
  }
}

void KernelLedger::set_up(const SmControlPins& control) {
  const auto found = kernels_.find(control.descriptor);
  expect(found != kernels_.end() && !found->second.is_done, "an SM is set up for a kernel that was launched");
  if (!violation_.empty()) return;
  expect(control.context == found->second.context, "an SM is set up for its kernel's context");
  expect(control.page_table == page_tables_[control.context], "an SM gets the page table that the driver wrote");
  expect(sms_[control.sm].num_resident == 0, "an SM is set up without thread blocks");
  sms_[control.sm].kernel = &found->second;
}

void KernelLedger::dispatch(const DispatchPins& dispatch) {
  Sm& sm = sms_[dispatch.sm];
  expect(sm.kernel != nullptr, "thread blocks go to SMs that were set up");
  if (!violation_.empty()) return;
  Kernel& kernel = *sm.kernel;
  expect(++sm.num_resident <= kernel.tbs_per_sm, "an SM holds no more thread blocks than the launch says");
  if (dispatch.is_restore) {
    const auto saved = kernel.saved.find(dispatch.tb);
    expect(saved != kernel.saved.end() && saved->second == dispatch.stack_pointer, "what is restored was saved");
    if (violation_.empty()) kernel.saved.erase(saved);
    ++num_restored_;
  } else {
    expect(dispatch.tb == kernel.next_tb++ && dispatch.tb < kernel.num_tbs, "each thread block is sent once, in order");
    ++num_fresh_;
  }
}

void KernelLedger::finish(const KernelDonePins& done) {
  const auto found = kernels_.find(done.descriptor);
  expect(found != kernels_.end() && !found->second.is_done, "a kernel is done once");
  if (!violation_.empty()) return;
  Kernel& kernel = found->second;
  expect(kernel.num_finished == kernel.num_tbs && kernel.next_tb == kernel.num_tbs && kernel.saved.empty(),
         "a kernel is done when its thread blocks are");
  kernel.is_done = true;
  done_.push_back(done.descriptor);
}

}  // namespace tessera::ip
