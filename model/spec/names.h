// SPDX-License-Identifier: Apache-2.0
// The words that YAML, the command line and the results use for the Spec's enumerations: one table per type.
// to_string(PolicyKind::kPpq) == "ppq"; parse<PolicyKind>("ppq") == PolicyKind::kPpq.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "model/realtime/task_set.h"
#include "model/spec/application_spec.h"
#include "model/spec/contention_spec.h"
#include "model/spec/driver_spec.h"
#include "model/spec/gpu_spec.h"
#include "model/spec/host_spec.h"
#include "model/spec/partition_preset.h"
#include "model/spec/policies.h"

namespace tessera::spec {

enum class CopyMode { kSync, kAsync };  // how YAML writes Copy::is_async

template <typename E>
struct Name {
  std::string_view text;
  E value;
};

template <typename E>
inline constexpr std::array<Name<E>, 0> kNames{};  // specialised for every enumeration that YAML names

// Names from a table in policies.h.
template <typename Info, std::size_t N>
constexpr auto names_of(const std::array<Info, N>& table) {
  std::array<Name<decltype(Info::kind)>, N> names{};
  for (std::size_t i = 0; i < N; ++i) names[i] = {table[i].name, table[i].kind};
  return names;
}

template <>
inline constexpr auto kNames<PolicyKind> = names_of(kPolicies);
template <>
inline constexpr auto kNames<TechniqueKind> = names_of(kTechniques);
template <>
inline constexpr std::array<Name<FlushFallback>, 2> kNames<FlushFallback>{
    {{"context_switch", FlushFallback::kContextSwitch}, {"drain", FlushFallback::kDrain}}};
template <>
inline constexpr std::array<Name<ChimeraMix>, 2> kNames<ChimeraMix>{{{"tb", ChimeraMix::kTb}, {"sm", ChimeraMix::kSm}}};
template <>
inline constexpr std::array<Name<SwitchPricing>, 2> kNames<SwitchPricing>{
    {{"per_tb", SwitchPricing::kPerTb}, {"channel", SwitchPricing::kChannel}}};
template <>
inline constexpr std::array<Name<Estimator>, 3> kNames<Estimator>{{{"finished_mean", Estimator::kFinishedMean},
                                                                   {"least_spread", Estimator::kLeastSpread},
                                                                   {"oracle", Estimator::kOracle}}};
template <>
inline constexpr std::array<Name<CandidateSets>, 2> kNames<CandidateSets>{
    {{"decision", CandidateSets::kDecision}, {"launch", CandidateSets::kLaunch}}};
template <>
inline constexpr std::array<Name<Access>, 2> kNames<Access>{
    {{"exclusive", Access::kExclusive}, {"shared", Access::kShared}}};
template <>
inline constexpr std::array<Name<ExclusiveScope>, 2> kNames<ExclusiveScope>{
    {{"needed", ExclusiveScope::kNeeded}, {"all", ExclusiveScope::kAll}}};
template <>
inline constexpr std::array<Name<TokenScope>, 2> kNames<TokenScope>{
    {{"kernel", TokenScope::kKernel}, {"process", TokenScope::kProcess}}};
template <>
inline constexpr std::array<Name<Debt>, 4> kNames<Debt>{
    {{"always", Debt::kAlways}, {"gap", Debt::kGap}, {"lone", Debt::kLone}, {"never", Debt::kNever}}};
template <>
inline constexpr std::array<Name<Remainder>, 2> kNames<Remainder>{
    {{"pool", Remainder::kPool}, {"once", Remainder::kOnce}}};
template <>
inline constexpr std::array<Name<PartitionOrder>, 2> kNames<PartitionOrder>{
    {{"edf", PartitionOrder::kEdf}, {"priority", PartitionOrder::kPriority}}};
template <>
inline constexpr std::array<Name<WaitKind>, 2> kNames<WaitKind>{
    {{"sleep", WaitKind::kSleep}, {"spin", WaitKind::kSpin}}};
template <>
inline constexpr std::array<Name<PresetKind>, 2> kNames<PresetKind>{
    {{"mig", PresetKind::kMig}, {"mps", PresetKind::kMps}}};
template <>
inline constexpr std::array<Name<Fill>, 2> kNames<Fill>{
    {{"depth_first", Fill::kDepthFirst}, {"breadth_first", Fill::kBreadthFirst}}};
template <>
inline constexpr std::array<Name<Turn>, 2> kNames<Turn>{{{"passed", Turn::kPassed}, {"kept", Turn::kKept}}};
template <>
inline constexpr std::array<Name<SwitchScope>, 2> kNames<SwitchScope>{
    {{"sm", SwitchScope::kSm}, {"gpu", SwitchScope::kGpu}}};
template <>
inline constexpr std::array<Name<DryOwner>, 2> kNames<DryOwner>{
    {{"passes", DryOwner::kPasses}, {"keeps", DryOwner::kKeeps}}};
template <>
inline constexpr std::array<Name<SliceRenewal>, 3> kNames<SliceRenewal>{
    {{"queued", SliceRenewal::kQueued}, {"never", SliceRenewal::kNever}, {"always", SliceRenewal::kAlways}}};
template <>
inline constexpr std::array<Name<NextTurn>, 2> kNames<NextTurn>{
    {{"at_last_start", NextTurn::kAtLastStart}, {"at_end", NextTurn::kAtEnd}}};
template <>
inline constexpr std::array<Name<SchedulerPreset>, 1> kNames<SchedulerPreset>{
    {{"nvidia_time_slice", SchedulerPreset::kNvidiaTimeSlice}}};
template <>
inline constexpr std::array<Name<Board>, 3> kNames<Board>{
    {{"data_centre", Board::kDataCentre}, {"desktop", Board::kDesktop}, {"tegra", Board::kTegra}}};
// The technique of the scheduler has no word: a process that says nothing has it.
template <>
inline constexpr std::array<Name<SliceEnd>, 3> kNames<SliceEnd>{
    {{"context_switch", SliceEnd::kContextSwitch}, {"drain", SliceEnd::kDrain}, {"wait", SliceEnd::kWait}}};
template <>
inline constexpr std::array<Name<SaveModel>, 2> kNames<SaveModel>{
    {{"bandwidth", SaveModel::kBandwidth}, {"microcode", SaveModel::kMicrocode}}};
template <>
inline constexpr std::array<Name<ChannelSharing>, 3> kNames<ChannelSharing>{
    {{"static", ChannelSharing::kStatic},
     {"fair", ChannelSharing::kFair},
     {"loaded_latency", ChannelSharing::kLoadedLatency}}};
template <>
inline constexpr std::array<Name<Engine>, 2> kNames<Engine>{
    {{"serialised", Engine::kSerialised}, {"ideal", Engine::kIdeal}}};
template <>
inline constexpr std::array<Name<SmSharing>, 2> kNames<SmSharing>{
    {{"one_kernel", SmSharing::kOneKernel}, {"kernels", SmSharing::kKernels}}};
template <>
inline constexpr std::array<Name<SharedMemoryChoice>, 2> kNames<SharedMemoryChoice>{
    {{"smallest_that_fits", SharedMemoryChoice::kSmallestThatFits},
     {"most_resident", SharedMemoryChoice::kMostResident}}};
template <>
inline constexpr std::array<Name<Transfers>, 2> kNames<Transfers>{
    {{"whole", Transfers::kWhole}, {"bursts", Transfers::kBursts}}};
template <>
inline constexpr std::array<Name<Channels>, 2> kNames<Channels>{{{"all", Channels::kAll}, {"one", Channels::kOne}}};
template <>
inline constexpr std::array<Name<TimeBase>, 2> kNames<TimeBase>{
    {{"kernel_time", TimeBase::kKernelTime}, {"time_per_tb", TimeBase::kTimePerTb}}};
template <>
inline constexpr std::array<Name<DmaPolicy>, 2> kNames<DmaPolicy>{
    {{"fcfs", DmaPolicy::kFcfs}, {"npq", DmaPolicy::kNpq}}};
template <>
inline constexpr std::array<Name<CopyDirection>, 2> kNames<CopyDirection>{
    {{"to_gpu", CopyDirection::kToGpu}, {"to_host", CopyDirection::kToHost}}};
template <>
inline constexpr std::array<Name<CopyMode>, 2> kNames<CopyMode>{
    {{"sync", CopyMode::kSync}, {"async", CopyMode::kAsync}}};

template <>
inline constexpr std::array<Name<Arrivals>, 4> kNames<Arrivals>{{{"periodic", Arrivals::kPeriodic},
                                                                 {"uniform", Arrivals::kUniform},
                                                                 {"poisson", Arrivals::kPoisson},
                                                                 {"file", Arrivals::kFile}}};
template <>
inline constexpr std::array<Name<Overrun>, 2> kNames<Overrun>{{{"queue", Overrun::kQueue}, {"skip", Overrun::kSkip}}};
template <>
inline constexpr std::array<Name<DefaultStream>, 2> kNames<DefaultStream>{
    {{"legacy", DefaultStream::kLegacy}, {"per_thread", DefaultStream::kPerThread}}};

template <>
inline constexpr std::array<Name<DriverKind>, 5> kNames<DriverKind>{{{"pass_through", DriverKind::kPassThrough},
                                                                     {"timegraph", DriverKind::kTimegraph},
                                                                     {"gloop", DriverKind::kGloop},
                                                                     {"xsched", DriverKind::kXsched},
                                                                     {"gcaps", DriverKind::kGcaps}}};
template <>
inline constexpr std::array<Name<OnTimeout>, 2> kNames<OnTimeout>{
    {{"kill", OnTimeout::kKill}, {"preempt", OnTimeout::kPreempt}}};
template <>
inline constexpr std::array<Name<LoopMode>, 2> kNames<LoopMode>{
    {{"polling", LoopMode::kPolling}, {"blocking", LoopMode::kBlocking}}};
template <>
inline constexpr std::array<Name<IoDirection>, 2> kNames<IoDirection>{
    {{"read", IoDirection::kRead}, {"write", IoDirection::kWrite}}};
template <>
inline constexpr std::array<Name<IoMedium>, 2> kNames<IoMedium>{
    {{"cache", IoMedium::kCache}, {"disk", IoMedium::kDisk}}};
template <>
inline constexpr std::array<Name<Invocation>, 2> kNames<Invocation>{
    {{"event", Invocation::kEvent}, {"tick", Invocation::kTick}}};
template <>
inline constexpr std::array<Name<Notifier>, 2> kNames<Notifier>{
    {{"fence", Notifier::kFence}, {"flag", Notifier::kFlag}}};
template <>
inline constexpr std::array<Name<HistoryScope>, 2> kNames<HistoryScope>{
    {{"global", HistoryScope::kGlobal}, {"process", HistoryScope::kProcess}}};
template <>
inline constexpr std::array<Name<Accounting>, 3> kNames<Accounting>{{{"at_completion", Accounting::kAtCompletion},
                                                                     {"continuous", Accounting::kContinuous},
                                                                     {"measured", Accounting::kMeasured}}};
template <>
inline constexpr std::array<Name<OnlineScope>, 2> kNames<OnlineScope>{
    {{"device", OnlineScope::kDevice}, {"engine", OnlineScope::kEngine}}};
template <>
inline constexpr std::array<Name<Joins>, 2> kNames<Joins>{
    {{"none", Joins::kNone}, {"higher_priority", Joins::kHigherPriority}}};
// As TimeGraph's specification spells them.
template <>
inline constexpr std::array<Name<GroupDispatch>, 2> kNames<GroupDispatch>{
    {{"PRT", GroupDispatch::kPrt}, {"HT", GroupDispatch::kHt}}};
template <>
inline constexpr std::array<Name<Reservation>, 4> kNames<Reservation>{{{"none", Reservation::kNone},
                                                                       {"PE", Reservation::kPosterior},
                                                                       {"AE", Reservation::kApriori},
                                                                       {"background", Reservation::kBackground}}};

template <>
inline constexpr std::array<Name<realtime::TaskKind>, realtime::kNumKinds> kNames<realtime::TaskKind>{
    {{"compute", realtime::TaskKind::kCompute}, {"memory", realtime::TaskKind::kMemory}}};
template <>
inline constexpr std::array<Name<ContentionModel>, 2> kNames<ContentionModel>{
    {{"none", ContentionModel::kNone}, {"co_running", ContentionModel::kCoRunning}}};
template <>
inline constexpr std::array<Name<ContentionDomain>, 2> kNames<ContentionDomain>{
    {{"partition", ContentionDomain::kPartition}, {"gpu", ContentionDomain::kGpu}}};

template <typename E>
constexpr std::string_view to_string(E value) {
  static_assert(!kNames<E>.empty(), "the type has no names");
  for (const Name<E>& name : kNames<E>) {
    if (name.value == value) return name.text;
  }
  return "?";
}

// Empty if no value has that name.
template <typename E>
constexpr std::optional<E> parse(std::string_view text) {
  static_assert(!kNames<E>.empty(), "the type has no names");
  for (const Name<E>& name : kNames<E>) {
    if (name.text == text) return name.value;
  }
  return std::nullopt;
}

}  // namespace tessera::spec
