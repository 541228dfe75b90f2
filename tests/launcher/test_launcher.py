# SPDX-License-Identifier: Apache-2.0
"""Claims about ./tessera, each tried in a clone of a tiny project whose path has spaces.

Debian's package tools, sudo and the user id are stand-ins: nothing is installed, and no test depends on the machine.
"""

import fcntl
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

CMAKE_LISTS = """
cmake_minimum_required(VERSION 3.25)
project(tiny LANGUAGES CXX)
option(TESSERA_BUILD_TESTS "" ON)
option(TESSERA_BUILD_BENCHMARKS "" ON)
option(TESSERA_LONG_TESTS "" OFF)
add_subdirectory(apps/tessera)
if(TESSERA_BUILD_TESTS)
  enable_testing()
  add_test(NAME tiny COMMAND ${CMAKE_COMMAND} -E echo tested)
  if(TESSERA_LONG_TESTS)
    add_test(NAME long COMMAND ${CMAKE_COMMAND} -E echo tested)
  endif()
  add_executable(test_model apps/tessera/main.cpp)
  add_executable(test_tlm apps/tessera/main.cpp)
  add_test(NAME model.Claim COMMAND test_model one)
  add_test(NAME model.Other COMMAND test_model two)
  add_test(NAME tlm.Claim COMMAND test_tlm)
  add_test(NAME rtl_model.Claim COMMAND test_tlm)
  add_test(NAME like.GoogleTest COMMAND test_model "a.cpp:1: Skipped" "no data: TESSERA_DATA_DIR is not set")
  add_test(NAME like.Unittest COMMAND test_model "test_it (a.Test) ... skipped 'no tool'")
endif()
if(TESSERA_BUILD_BENCHMARKS)
  add_subdirectory(benchmarks)
endif()
"""

# Prints its arguments a line each, and exits with the number that follows `exit`; `wait` waits to be interrupted.
PROGRAM = """
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) std::puts(argv[i]);
  std::fflush(stdout);
  if (argc > 1 && !std::strcmp(argv[1], "wait")) pause();
  return argc > 2 && !std::strcmp(argv[1], "exit") ? std::atoi(argv[2]) : 0;
}
"""

# Says that every package is installed, except those named in $MISSING.
DPKG_QUERY = """#!/bin/bash
for package in "$@"; do
  [[ " $MISSING " == *" $package "* ]] && echo "not-installed $package" || echo "installed $package"
done
"""


class LauncherTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pristine = Path(tempfile.mkdtemp(prefix="launcher test "))
        cls.addClassCleanup(shutil.rmtree, cls.pristine)
        clone = cls.pristine / "a clone"
        (clone / "apps/tessera").mkdir(parents=True)
        (clone / "benchmarks").mkdir()
        for name in ("tessera", "CMakePresets.json"):
            shutil.copy2(ROOT / name, clone / name)
        (clone / "CMakeLists.txt").write_text(CMAKE_LISTS)
        (clone / "apps/tessera/CMakeLists.txt").write_text(
            "add_executable(tessera_simulate main.cpp)\n"
            "add_executable(tessera main.cpp)\n"
            "target_compile_definitions(tessera PRIVATE WHOLE)\n"
            "add_dependencies(tessera tessera_simulate)\n"
        )
        (clone / "apps/tessera/main.cpp").write_text(PROGRAM)
        (clone / "benchmarks/CMakeLists.txt").write_text(
            "add_executable(bench_tiny ../apps/tessera/main.cpp)\n"
            "set_target_properties(bench_tiny PROPERTIES OUTPUT_NAME bench_tiny)\n"
        )

        tools = cls.pristine / "tools"  # the only PATH: whatever else the launcher calls is missed at once
        tools.mkdir()
        for name in (
            *("bash", "cat", "cmake", "ctest", "dirname", "env", "flock", "g++", "as", "ld", "ar", "grep"),
            *("mkdir", "ninja", "nproc", "ranlib", "readlink", "sed", "tee"),
        ):
            (tools / name).symlink_to(shutil.which(name))
        cls.write_tool(tools, "dpkg-query", DPKG_QUERY)
        cls.write_tool(tools, "id", '#!/bin/bash\necho "${FAKE_UID:-0}"\n')
        cls.write_tool(tools, "apt-get", '#!/bin/bash\necho "apt-get $*" >>"$APT_LOG"\n')

    @staticmethod
    def write_tool(folder, name, text):
        (folder / name).unlink(missing_ok=True)  # it may be a link to the machine's own
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="launcher test "))
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copytree(self.pristine, self.folder, dirs_exist_ok=True, symlinks=True)
        self.clone = self.folder / "a clone"
        self.launcher = self.clone / "tessera"
        self.programs = self.clone / "build/release/apps/tessera"
        self.apt_log = self.folder / "apt.log"
        self.environment = {
            "PATH": str(self.folder / "tools"),
            "HOME": str(self.folder),
            "APT_LOG": str(self.apt_log),
            "MISSING": "",
        }

    def run_launcher(self, *arguments, launcher=None, cwd="/", **environment):
        return subprocess.run(
            [launcher or self.launcher, *arguments],
            cwd=cwd,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    def stand_in_program(self, text):
        """A build with nothing to do, where the claim is not about building."""
        self.programs.mkdir(parents=True)
        for name in ("tessera", "tessera_simulate"):
            self.write_tool(self.programs, name, "#!/bin/bash\n" + text)
        self.write_tool(self.folder / "tools", "cmake", "#!/bin/bash\n")

    def test_help_lists_the_commands_and_builds_nothing(self):
        for arguments in ((), ("help",), ("--help",), ("-h",)):
            result = self.run_launcher(*arguments)
            self.assertEqual(result.returncode, 0)
            for command in ("setup", "test", "bench", "docs", "package", "measure", "probe", "help"):
                self.assertRegex(result.stdout, rf"(?m)^  {command}\b")
            self.assertFalse((self.clone / "build").exists())

    def test_help_ends_with_the_programs_own(self):
        self.stand_in_program('echo "program: $*"\n')
        self.assertTrue(self.run_launcher("help").stdout.endswith("program: --help\n"))
        self.assertEqual(self.run_launcher("help", "run").stdout, "program: help run\n")

    def test_help_about_its_own_commands_installs_and_builds_nothing(self):
        for arguments in (
            ("test", "--help"), ("test", "-h"), ("bench", "--help"), ("setup", "--help"), ("help", "test"),
            ("help", "bench"), ("help", "setup"), ("docs", "--help"), ("help", "docs"),
            ("measure", "--help"), ("help", "measure"), ("package", "--help"), ("help", "package"),
        ):
            result = self.run_launcher(*arguments, MISSING="cmake libgtest-dev")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertTrue(result.stdout.startswith("Usage: ./tessera"), result.stdout)
            self.assertIn(f"  {arguments[0] if arguments[0] != 'help' else arguments[1]}", result.stdout)
        self.assertFalse((self.clone / "build").exists())
        self.assertFalse(self.apt_log.exists())

    def test_completion_knows_the_launchers_commands(self):
        self.stand_in_program('echo "$*"\n')
        result = self.run_launcher("completion", "bash")
        self.assertEqual(result.stdout, "completion bash --also setup,test,bench,docs,package,measure,probe\n")

    def test_one_layer_of_the_tests_is_built_and_run_alone(self):
        broken = self.clone / "apps/tessera/broken.cpp"
        broken.write_text("int main() { return nonsense; }")
        lists = self.clone / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace("test_tlm apps/tessera/main.cpp", "test_tlm apps/tessera/broken.cpp"))
        for name in ("model", "model.", r"^model\.", r"model\.Cla", "^model.Claim"):
            result = self.run_launcher("test", "-R", name)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            number = 1 if "Cla" in name else 2
            self.assertIn(f"100% tests passed, 0 tests failed out of {number}", result.stdout)
        for arguments in ((), ("-R", "tlm"), ("-R", "odel"), ("-R", "model|tlm"), ("-R", "model", "-V")):
            result = self.run_launcher("test", *arguments)
            self.assertEqual(result.returncode, 1, result.stdout)
            self.assertIn("nonsense", result.stderr)

    def test_first_use_builds_the_program_only_and_leaves_standard_output_to_it(self):
        result = self.run_launcher("run", "two words", "--json")
        self.assertEqual(result.stdout, "run\ntwo words\n--json\n")
        self.assertIn("Building CXX object", result.stderr)  # the build shows progress
        cache = (self.clone / "build/release/CMakeCache.txt").read_text()
        self.assertIn("TESSERA_BUILD_TESTS:BOOL=OFF", cache)
        self.assertIn("TESSERA_BUILD_BENCHMARKS:BOOL=OFF", cache)
        self.assertFalse(self.apt_log.exists())

    def test_commands_that_only_simulate_build_no_more_than_that_and_the_others_build_the_rest_once(self):
        source = self.clone / "apps/tessera/main.cpp"
        source.write_text("#ifdef WHOLE\nint main() { return nonsense; }\n#else\n" + PROGRAM + "#endif\n")
        self.assertEqual(self.run_launcher("run").stdout, "run\n")
        self.assertEqual(self.run_launcher("help", "run").stdout, "help\nrun\n")
        self.assertTrue(self.run_launcher("help").stdout.endswith("The program:\n--help\n"))
        self.assertFalse((self.programs / "tessera").exists())
        for arguments in (("sweep",), ("help", "sweep"), ("nonsense",)):
            result = self.run_launcher(*arguments)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("nonsense", result.stderr)

        source.write_text(PROGRAM)
        self.assertEqual(self.run_launcher("sweep").stdout, "sweep\n")
        for command in ("run", "sweep"):
            self.assertEqual(self.run_launcher(command).stderr, "")

    def test_each_command_goes_to_a_program_that_has_it(self):
        self.stand_in_program('echo "${0##*/}"\n')
        has = {
            program: re.findall(r'{"(\w+)", add_\w+_command}', (ROOT / "apps/tessera" / main).read_text())
            for program, main in (("tessera", "main.cpp"), ("tessera_simulate", "simulate_program.cpp"))
        }
        self.assertIn("sweep", has["tessera"])
        self.assertLess(set(has["tessera_simulate"]), set(has["tessera"]))
        for command in set(has["tessera"]) - {"help"}:
            program = "tessera_simulate" if command in has["tessera_simulate"] else "tessera"
            for arguments in ((command, "x"), ("help", command)):
                self.assertEqual(self.run_launcher(*arguments).stdout, f"{program}\n", arguments)

    def test_up_to_date_program_starts_silently_and_stale_one_is_rebuilt(self):
        self.assertEqual(self.run_launcher("setup").returncode, 0)
        source = self.clone / "apps/tessera/main.cpp"
        quiet = self.run_launcher("run")
        self.assertEqual((quiet.stdout, quiet.stderr), ("run\n", ""))
        source.write_text(PROGRAM.replace("argv[i]", '"changed"'))
        changed = self.run_launcher("run")
        self.assertEqual((changed.stdout, changed.stderr), ("changed\n", "tessera: building what changed\n"))

        source.write_text("int main() { return nonsense; }")
        for _ in range(2):  # a failed build does not count as one
            broken = self.run_launcher("run")
            self.assertEqual((broken.returncode, broken.stdout), (1, ""))
            self.assertIn("nonsense", broken.stderr)

    def test_moved_clone_builds_again(self):
        self.assertEqual(self.run_launcher("setup").returncode, 0)
        moved = self.clone.rename(self.folder / "moved")
        result = self.run_launcher("run", launcher=moved / "tessera")
        self.assertEqual((result.returncode, result.stdout), (0, "run\n"))
        self.assertIn(f"={moved}\n", (moved / "build/release/CMakeCache.txt").read_text())

    def test_exit_status_and_working_directory_are_the_programs(self):
        self.stand_in_program('pwd; exit "$2"\n')
        for status in (0, 1, 2, 130):
            result = self.run_launcher("exit", str(status), cwd=self.folder)
            self.assertEqual((result.returncode, result.stdout), (status, f"{self.folder}\n"))

    def test_runs_through_a_symbolic_link(self):
        self.stand_in_program('echo "$*"\n')
        (self.folder / "links").mkdir()
        link = self.folder / "links/tsr"
        link.symlink_to("../a clone/tessera")
        self.assertEqual(self.run_launcher("run", launcher=link).stdout, "run\n")

    def test_program_takes_the_launchers_place(self):
        self.stand_in_program('echo "$$"\n')
        with subprocess.Popen(
            [self.launcher, "run"], env=self.environment, stdout=subprocess.PIPE, text=True
        ) as process:
            self.assertEqual(int(process.stdout.readline()), process.pid)  # so signals reach it

    def test_two_at_once_build_one_after_the_other(self):
        command = [self.launcher, "run"]
        pair = [
            subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        outputs = [process.communicate() for process in pair]
        self.assertEqual([process.returncode for process in pair], [0, 0], outputs)
        self.assertEqual([output[0] for output in outputs], ["run\n", "run\n"])
        self.assertEqual(sum("Building CXX object" in output[1] for output in outputs), 1)

    def test_missing_packages_are_installed_and_no_others(self):
        self.assertEqual(self.run_launcher("setup", MISSING="libfmt-dev python3").returncode, 0)
        update, install = self.apt_log.read_text().splitlines()
        self.assertTrue(update.startswith("apt-get update"))
        self.assertEqual([word for word in install.split() if word.startswith(("lib", "py"))], ["libfmt-dev"])

    def test_without_root_and_sudo_says_what_to_install(self):
        result = self.run_launcher("setup", MISSING="libfmt-dev cmake", FAKE_UID="1000")
        self.assertEqual(result.returncode, 1)
        self.assertIn("apt-get install cmake libfmt-dev\n", result.stderr)
        self.assertFalse(self.apt_log.exists())

    def test_without_root_apt_is_called_through_sudo(self):
        self.write_tool(self.folder / "tools", "sudo", '#!/bin/bash\necho "sudo" >>"$APT_LOG"\nexec "$@"\n')
        self.assertEqual(self.run_launcher("setup", MISSING="libfmt-dev", FAKE_UID="1000").returncode, 0)
        self.assertEqual([line.split()[0] for line in self.apt_log.read_text().splitlines()], ["sudo", "apt-get"] * 2)

    def test_reproduce_installs_what_draws_and_goes_on_without(self):
        self.stand_in_program('echo "$*"\n')
        for word in ("--list", "--help"):
            self.assertEqual(self.run_launcher("reproduce", word, MISSING="gnuplot-nox").stdout, f"reproduce {word}\n")
        self.assertFalse(self.apt_log.exists())
        self.assertEqual(self.run_launcher("reproduce", "x", MISSING="gnuplot-nox").stdout, "reproduce x\n")
        self.assertIn("gnuplot-nox", self.apt_log.read_text())

        self.apt_log.unlink()
        result = self.run_launcher("reproduce", "x", MISSING="gnuplot-nox", FAKE_UID="1000")
        self.assertEqual((result.returncode, result.stdout), (0, "reproduce x\n"))
        self.assertIn("figures will not be drawn", result.stderr)
        self.assertFalse(self.apt_log.exists())

    def test_what_runs_the_verilog_core_gets_its_tools_and_nothing_else_does(self):
        self.stand_in_program('echo "$*"\n')
        for arguments in ("run x --abstraction rtl_model", "replay x", "cosim --help", "run --abstraction rtl -h"):
            self.assertEqual(self.run_launcher(*arguments.split(), MISSING="verilator").stdout, f"{arguments}\n")
        self.assertFalse(self.apt_log.exists())
        for arguments in ("run x --abstraction rtl", "replay --abstraction=rtl x", "cosim", "coverage", "mutate x"):
            self.assertEqual(self.run_launcher(*arguments.split(), MISSING="verilator").stdout, f"{arguments}\n")
            self.assertTrue(self.apt_log.read_text().endswith(" verilator\n"))
            self.apt_log.unlink()

    def test_synthesis_gets_its_tools_and_help_about_it_does_not(self):
        self.stand_in_program('echo "$*"\n')
        self.assertEqual(self.run_launcher("synth", "--help", MISSING="opensta").stdout, "synth --help\n")
        self.assertEqual(self.run_launcher("storage", MISSING="opensta").stdout, "storage\n")
        self.assertFalse(self.apt_log.exists())
        self.assertEqual(self.run_launcher("synth", "x.yaml", MISSING="opensta").stdout, "synth x.yaml\n")
        self.assertTrue(self.apt_log.read_text().endswith(" opensta\n"))

    def test_proofs_get_their_tool_and_help_about_them_does_not(self):
        self.stand_in_program('echo "$*"\n')
        self.assertEqual(self.run_launcher("prove", "--help", MISSING="yosys").stdout, "prove --help\n")
        self.assertFalse(self.apt_log.exists())
        self.assertEqual(self.run_launcher("prove", "--quick", MISSING="yosys").stdout, "prove --quick\n")
        self.assertTrue(self.apt_log.read_text().endswith(" yosys\n"))

    def test_test_and_bench_build_what_they_need(self):
        tests = self.run_launcher("test", "-R", "tiny")
        self.assertEqual(tests.returncode, 0, tests.stderr)
        self.assertIn("100% tests passed, 0 tests failed out of 1", tests.stdout)
        self.assertFalse((self.clone / "build/release/benchmarks").exists())
        self.assertNotEqual(self.run_launcher("test", "-R", "no such test").returncode, 0)

        self.assertEqual(self.run_launcher("bench", "--some").stdout, "--some\n")
        self.assertEqual(self.run_launcher("bench", "exit", "3").returncode, 1)
        self.assertEqual(self.run_launcher("test").returncode, 0)  # bench left the tests switched on

    def test_long_tests_are_built_file_by_file_beside_the_other_build(self):
        tests = self.run_launcher("test", "--long")
        self.assertRegex(tests.stdout, r"long \.+ +Passed", tests.stderr)
        self.assertIn("main.cpp.o", tests.stderr)
        self.assertTrue((self.clone / "build/developer/benchmarks/bench_tiny").exists())
        self.assertFalse((self.clone / "build/release").exists())

    def test_ends_with_the_skipped_tests_and_their_reasons(self):
        result = self.run_launcher("test")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(
            result.stderr.endswith(
                "tessera: skipped tests:\n"
                "  like.GoogleTest: no data: TESSERA_DATA_DIR is not set\n"
                "  like.Unittest: no tool\n"
                "tessera: set TESSERA_DATA_DIR to the folder of logs and profiles to have those run that name it\n"
            ),
            result.stderr,
        )
        for arguments in (("-R", "tlm"), ("-N",)):
            self.assertNotIn("skipped", self.run_launcher("test", *arguments).stderr)

    def test_who_waits_for_another_build_says_so(self):
        self.stand_in_program('echo "program: $*"\n')
        with open(self.clone / "build/release/.tessera_lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for command in ("run", "setup"):
                with self.subTest(command):
                    waits = subprocess.Popen(
                        [self.launcher, command],
                        env=self.environment,
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        text=True,
                    )
                    said = [waits.stderr.readline()]
                    if command == "setup":
                        said.append(waits.stderr.readline())
                    self.assertEqual(said[-1], "tessera: waiting for another build in this checkout\n")
                    self.assertIsNone(waits.poll())
                    fcntl.flock(lock, fcntl.LOCK_UN)
                    stdout, stderr = waits.communicate()
                    self.assertEqual(waits.returncode, 0, stderr)
                    self.assertNotIn("waiting", stderr)
                    self.assertEqual(stdout, "program: run\n" if command == "run" else "")
                    fcntl.flock(lock, fcntl.LOCK_EX)
            fcntl.flock(lock, fcntl.LOCK_UN)
        self.assertNotIn("waiting", self.run_launcher("run").stderr)


if __name__ == "__main__":
    unittest.main()
