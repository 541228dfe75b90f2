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

from sweep_support import SWEEP, THOUSAND, SweepTest

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
