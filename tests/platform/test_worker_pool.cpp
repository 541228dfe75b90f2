// SPDX-License-Identifier: Apache-2.0
// Tasks in processes of their own: order, number at a time, and how the death of one is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/workload/kernel_times.h"
#include "platform/worker_pool.h"
#include "tests/platform/machine_bench.h"

namespace tessera::platform {
namespace {

using Task = std::function<nlohmann::json()>;
using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::vector<Task>& tasks, std::size_t& done) {
  try {
    run_in_workers(tasks, 2, [&done](std::size_t now) { done = now; });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(WorkerPool, AnswersInTheOrderOfTheTasksWhoeverIsFirst) {
  std::vector<Task> tasks;
  for (int i = 0; i < 8; ++i) {
    tasks.emplace_back([i] {
      ::usleep(static_cast<useconds_t>(8 - i) * 2000);
      return nlohmann::json(i);
    });
  }
  for (const unsigned workers : {1U, 3U, 100U}) {
    std::vector<std::size_t> done;
    const auto answers = run_in_workers(tasks, workers, [&done](std::size_t now) { done.push_back(now); });
    EXPECT_THAT(answers, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(done, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  }
}

TEST(WorkerPool, GivesEveryTaskAProcessOfItsOwn) {
  int touched = 0;
  const Task task = [&touched] { return nlohmann::json{++touched, ::getpid()}; };
  const auto answers = run_in_workers({task, task}, 1);
  EXPECT_EQ(touched, 0);
  EXPECT_EQ(answers[0][0], 1);
  EXPECT_EQ(answers[1][0], 1);
  EXPECT_NE(answers[0][1], answers[1][1]);
  EXPECT_NE(answers[0][1], ::getpid());
}

TEST(WorkerPool, BringsAnswersBackThatAreLargerThanAPipe) {
  const std::string large(5'000'000, 'x');
  EXPECT_EQ(run_in_workers({[&] { return nlohmann::json(large); }}, 1).front().get<std::string>(), large);
}

TEST(WorkerPool, ThrowsWhatATaskThrewOnceTheOthersHaveEnded) {
  std::size_t done = 0;
  const Task fails = []() -> nlohmann::json { throw std::logic_error("a cause"); };
  const Task works = [] { return nlohmann::json(1); };
  EXPECT_EQ(error_of({works, fails, works, works}, done), "a cause");
  EXPECT_EQ(done, 4U);
}

TEST(WorkerPool, SaysHowATaskDied) {
  std::size_t done = 0;
  const Task killed = []() -> nlohmann::json { return ::raise(SIGKILL); };
  EXPECT_THAT(error_of({killed}, done), HasSubstr("signal 9"));
  const Task leaves = []() -> nlohmann::json { ::_exit(0); };
  EXPECT_THAT(error_of({leaves}, done), HasSubstr("without a result"));
}

// Counted where the parent sees it: each task that is started leaves a byte in a pipe.
TEST(WorkerPool, StartsNoMoreTasksOnceItIsToldToStop) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const Task task = [&ends] { return nlohmann::json(::write(ends[1], "x", 1)); };
  std::size_t done = 0;
  const auto answers = run_in_workers(
      std::vector<Task>(50, task), 1, [&done](std::size_t now) { done = now; }, {}, [&done] { return done >= 3; });
  char started[64];
  const ssize_t num_started = ::read(ends[0], started, sizeof(started));
  ::close(ends[0]);
  ::close(ends[1]);
  EXPECT_GE(num_started, 3);
  EXPECT_LT(num_started, 50);  // the third has ended: those that had been started until then
  EXPECT_EQ(static_cast<std::size_t>(num_started), done);
  ASSERT_EQ(answers.size(), 50U);
  EXPECT_EQ(answers.front(), 1);
  EXPECT_TRUE(answers.back().is_null());
}

TEST(WorkerPool, StartsNothingWhereItIsToStopFromTheBeginning) {
  const Task task = [] { return nlohmann::json(1); };
  const auto answers = run_in_workers({task, task}, 2, {}, {}, [] { return true; });
  EXPECT_THAT(answers, ElementsAre(nullptr, nullptr));
}

TEST(WorkerPool, AKernelIsFittedOnceForTheProcessAndTheWorkersItStartsAfterwards) {
  spec::Spec spec = test::tiny_platform();
  spec.time_base = spec::TimeBase::kKernelTime;
  spec::KernelSpec kernel = test::kernel_of("k", 100, 1'000'000);
  kernel.kernel_time = 7'500'000;
  const auto questions = [&] {  // none where the time is known
    int asked = 0;
    workload::tb_time(spec, kernel, [&asked] { return ++asked < 0; });
    return asked;
  };
  const Task fits = [&] { return nlohmann::json(questions()); };
  const Task has_workers = [&] { return run_in_workers({fits}, 1).front(); };
  const auto answers = run_in_workers({has_workers, fits}, 1);
  EXPECT_GT(answers[0], 0);
  EXPECT_EQ(answers[1], 0);
  EXPECT_EQ(questions(), 0);
}

TEST(WorkerPool, OfNoTasksIsDoneAtOnce) { EXPECT_TRUE(run_in_workers({}, 4).empty()); }

}  // namespace
}  // namespace tessera::platform
