# SPDX-License-Identifier: Apache-2.0
"""Claims about `tessera sweep --slurm`: on a cluster of one machine, where Slurm is installed.

Called with the path of the built program.
"""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from sweep_support import POINTS, SWEEP, THOUSAND, SweepTest

class TroubledSlurm(SweepTest):
    """What a real cluster of one machine does not do on demand."""

    def setUp(self):
        super().setUp()
        commands = self.folder / "bin"
        commands.mkdir()
        for name in ("sinfo", "scontrol", "sbatch", "squeue", "sacct"):
            (commands / name).symlink_to(Path(__file__).with_name("fake_slurm.py"))
        self.cluster = self.folder / "cluster"
        self.cluster.mkdir()
        self.environment = {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}", "FAKE_SLURM": str(self.cluster)}
        self.write(SWEEP + "slurm: {points_per_task: 4}\n")

    def trouble(self, **files):
        for name, text in files.items():
            (self.cluster / name).write_text(str(text))

    def on_cluster(self, *arguments, **options):
        return self.sweep("--slurm", *arguments, env=self.environment, **options)

    def jobs(self):
        return [path.read_text() for path in sorted(self.cluster.glob("job-*"))]

    def assert_all_done(self):
        self.assertEqual({row["status"] for row in self.rows()}, {"done"})
        self.assertEqual(len(self.rows()), POINTS)

    def test_no_array_is_larger_than_the_cluster_allows(self):
        self.trouble(max_array_size=5)
        self.on_cluster()
        self.assert_all_done()
        tasks = -(-POINTS // 4)
        self.assertEqual(len(self.jobs()), -(-tasks // 5))

    def test_a_job_beyond_the_limit_of_a_user_is_submitted_when_others_are_over(self):
        self.trouble(max_array_size=5, refusals="1 2")
        error = self.on_cluster().stderr
        self.assert_all_done()
        self.assertEqual(error.count("QOSMaxSubmitJobPerUserLimit; trying again"), 1)

    def test_a_sweep_whose_first_job_is_refused_ends_with_the_reason(self):
        self.trouble(refusals="0 1")
        error = self.on_cluster(status=1).stderr
        self.assertRegex(error, r"^tessera: sbatch refused the job: sbatch: error: QOSMax\w+\n$")
        self.assertEqual(self.point_files(), {})
        self.on_cluster("--resume")
        self.assert_all_done()

    def test_a_controller_that_is_away_for_a_while_is_waited_for(self):
        self.trouble(lost=1, silences=3)
        error = self.on_cluster().stderr
        self.assert_all_done()
        self.assertEqual(error.count("does not answer: slurm_load_jobs error"), 1)

    def test_tasks_that_ended_in_any_way_are_submitted_again_and_given_up_at_last(self):
        states = ["TIMEOUT", "PREEMPTED", "NODE_FAIL", "OUT_OF_MEMORY", "CANCELLED by 0"]
        few = SWEEP.replace("values: [4, 8, 16]", "values: [4]").replace("{count: 3}", "{count: 1}")
        self.write(few + "slurm: {points_per_task: 2}\n")
        self.trouble(states="\n".join(states))
        self.on_cluster(status=1)
        ends = [f"lost by the cluster 3 times: {state}; its task said nothing: do nodes see this folder and the program?"
                for state in states]
        self.assertEqual([row["reason"] for row in self.rows()], ends)
        arrays = [job.split("--array=0-")[1].split("\n")[0] for job in self.jobs()]
        self.assertEqual(arrays, ["2", "2", "4"])  # for the last time every point has a task of its own

    def test_what_a_task_said_is_the_reason(self):
        self.trouble(states="RUNNING")
        process = self.start("--slurm", env=self.environment)
        self.wait_for(lambda: (self.out / "slurm/jobs.json").exists())
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        self.write(SWEEP.replace("{count: 3}", "{count: 2}"))  # the file that the job's tasks read
        task = {**self.environment, "SLURM_ARRAY_TASK_ID": "0"}
        said = subprocess.run(["sh", self.out / "slurm/batch-1.sh"], env=task, capture_output=True, text=True)
        self.assertIn("is no longer what it was when the job was submitted", said.stderr)

    def test_keys_of_slurm_may_be_set_at_the_command_line(self):
        wanted = {"partition": "Night", "time_limit_min": "7", "memory_mb": "900", "points_per_task": "15", "max_tasks": "2"}
        self.on_cluster(*(f"--set=slurm.{key}={value}" for key, value in wanted.items()))
        self.assert_all_done()
        for line in ('--partition="Night"', "--time=7", "--mem=900M", "--array=0-2%2"):
            self.assertIn(f"#SBATCH {line}\n", self.jobs()[0])
        error = self.on_cluster("--set", "slurm.partitions=night", "--force", status=2).stderr
        self.assertEqual(error, "--set:1:7: slurm.partitions: unknown key (nearest known key: partition)\n")

    def test_a_percent_sign_in_the_path_is_no_pattern(self):
        self.out = self.folder / "50%a of it"
        self.on_cluster()
        self.assert_all_done()
        self.assertTrue((self.out / "slurm/batch-1-0.out").exists())


SLURM = Path(__file__).with_name("slurm_on_one_machine.sh")


def has_slurm():
    folders = os.environ["PATH"].split(":") + ["/usr/sbin"]
    return all(shutil.which(tool, path=":".join(folders)) for tool in ("slurmctld", "slurmd", "sbatch"))


@unittest.skipUnless(has_slurm(), "without Slurm (slurmctld, slurmd, slurm-client) no cluster is tried")
class Slurm(SweepTest):
    NODES = 3

    def setUp(self):
        super().setUp()
        lock = open(Path(tempfile.gettempdir()) / "tessera-test-slurm.lock", "w")  # its ports are the same every time
        self.addCleanup(lock.close)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.cluster = Path(tempfile.mkdtemp(prefix="slurm-"))  # its configuration knows no blanks
        self.addCleanup(shutil.rmtree, self.cluster, ignore_errors=True)
        up = subprocess.run([SLURM, "up", self.cluster, str(self.NODES)], capture_output=True, text=True)
        self.addCleanup(self.take_down)
        if "idle" not in up.stdout:
            self.skipTest(f"Slurm does not start here: {up.stdout}{up.stderr}")
        os.environ["SLURM_CONF"] = str(self.cluster / "slurm.conf")
        self.addCleanup(os.environ.pop, "SLURM_CONF")

    def take_down(self):
        """Until nothing of it is left: the next one has the same ports."""
        daemons = [int(path.read_text()) for path in self.cluster.glob("*.pid")]
        subprocess.run([SLURM, "down", self.cluster], capture_output=True)

        def is_gone(daemon):
            try:
                return Path(f"/proc/{daemon}/stat").read_text().rsplit(")")[-1].split()[0] == "Z"
            except FileNotFoundError:
                return True

        self.wait_for(lambda: all(map(is_gone, daemons)))

    def test_a_cluster_leaves_the_same_bytes_and_may_be_left_and_joined(self):
        self.write(SWEEP + "slurm: {points_per_task: 4}\n")
        self.sweep(out=self.folder / "here")
        process = self.start("--slurm")
        self.wait_for(lambda: (self.out / "slurm/jobs.json").exists() and len(self.point_files()) >= 3)
        os.killpg(process.pid, signal.SIGINT)
        _, error = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, error)
        self.assertRegex(error, r"--slurm --resume\n.*scancel \d+")
        self.sweep("--slurm", "--resume")
        self.assert_same_table("here")
        self.assertEqual(len(json.loads((self.out / "slurm/jobs.json").read_text())), 1)  # nothing was submitted again

    def test_what_a_cancelled_job_left_is_submitted_again(self):
        self.write(SWEEP + "slurm: {points_per_task: 4}\n")
        self.sweep(out=self.folder / "here")
        process = self.start("--slurm")
        self.wait_for(lambda: (self.out / "slurm/jobs.json").exists())
        job = json.loads((self.out / "slurm/jobs.json").read_text())[0]["job"]
        subprocess.run(["scancel", f"{job}_[3-20]"], check=False)
        _, error = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, error)
        self.assert_same_table("here")

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "a thousand points, here and there, take a minute")
    def test_a_thousand_points_have_the_same_bytes_here_and_there_and_half_and_half(self):
        self.write(THOUSAND + "slurm: {points_per_task: 20}\n")
        self.sweep(out=self.folder / "here")
        self.sweep("--slurm", out=self.folder / "there")
        there = self.start("--slurm")
        self.wait_for(lambda: len(self.point_files()) >= 100)
        self.sweep("--resume", "-j", "1")
        _, error = there.communicate(timeout=300)
        self.assertEqual(there.returncode, 0, error)
        self.assert_same_table("here")
        self.assert_same_table("there")

    @unittest.skipUnless(os.environ.get("TESSERA_LONG_TESTS"), "a cluster takes minutes to notice a dead node")
    def test_a_dead_node_loses_nothing(self):
        self.write(SWEEP + "slurm: {points_per_task: 2}\n")
        self.sweep(out=self.folder / "here")
        process = self.start("--slurm")
        self.wait_for(lambda: len(self.point_files()) >= 3)
        os.kill(int((self.cluster / "slurmd-n1.pid").read_text()), signal.SIGKILL)
        _, error = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 0, error)
        self.assert_same_table("here")


if __name__ == "__main__":
    unittest.main()
