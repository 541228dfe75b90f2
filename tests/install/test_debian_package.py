# SPDX-License-Identifier: Apache-2.0
"""Claims about the Debian package in a clean Debian 12: the build folder is the first argument.

In one order, since making the root takes longer than all the rest: installed without what is recommended, used with
it, upgraded, removed.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv.pop(1)).resolve()
LONG = os.environ.get("TESSERA_LONG_TESTS")
CAN_MAKE_ROOTS = os.geteuid() == 0 and shutil.which("mmdebstrap")
FIGURES = ("gnuplot-nox", "python3-pandas", "python3-matplotlib")
NOTEBOOKS = ("python3-nbclient", "python3-ipykernel")
SWEEP = """
schema_version: 1
name: mine
base: net/shared.yaml
axes: [{key: scheduler.technique, values: [context_switch, drain]}]
plots: [{name: front, x: antt, y: stp, series: technique, pareto: {x: min, y: max}}]
"""
# /root/bin: a folder that only root may enter, as there are on a user's PATH.
ENVIRONMENT = "PATH=/root/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/work LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive"
EXECUTE = """
import nbclient
import nbformat

notebook = nbformat.read("/usr/share/tessera/notebooks/share_a_gpu.ipynb", 4)
nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
"""


@unittest.skipUnless(LONG, "--long only")
@unittest.skipUnless(CAN_MAKE_ROOTS, "needs root, and mmdebstrap")
class DebianPackage(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="package-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = self.folder / "root"
        subprocess.run([ROOT / "packaging/make_root", self.root], check=True)
        (self.root / "work").mkdir(mode=0o777)
        (self.root / "work").chmod(0o777)
        self.make_package("0.1.0")
        self.make_package("0.1.1")

    def make_package(self, version):
        call = ["cpack", "--config", BUILD / "CPackConfig.cmake", "-D", f"CPACK_PACKAGE_VERSION={version}", "-B",
                self.folder / version]  # fmt: skip
        subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
        (package,) = (self.folder / version).glob("*.deb")
        self.assertEqual(package.name, f"tessera_{version}_amd64.deb")
        shutil.copy(package, self.root / "work")

    def in_root(self, command, status=0, user="root"):
        """What a shell in the root prints. /proc is there while it runs: the program looks for its own file."""
        inner = f"cd /work && export {ENVIRONMENT} && {command}"
        outer = 'mount -t proc proc "$0/proc" && exec chroot --userspec="$1" "$0" bash -c "$2"'
        result = subprocess.run(
            ["unshare", "--mount", "bash", "-c", outer, self.root, user, inner], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.assertEqual(result.returncode, status, f"{command}\n{result.stdout}")
        return result.stdout

    def as_user(self, command, status=0):
        return self.in_root(command, status, user="nobody:nogroup")

    def install(self, *packages):
        self.in_root(f"apt-get install --yes --quiet --no-install-recommends {' '.join(packages)}")

    def remains(self):
        """Files that name Tessera, but for what we put there and what dpkg and apt note."""
        elsewhere = "-not -path '/work*' -not -path '/proc*' -not -path '/var/*'"
        return self.in_root(f"find / -xdev -ipath '*tessera*' {elsewhere}").split()

    def test_IsInstalledUsedUpgradedAndRemovedWithoutATrace(self):
        self.in_root("apt-get update --quiet")
        with self.subTest("alone it simulates, and says in a line what is missing"):
            self.install("./tessera_0.1.0_amd64.deb")
            self.assertEqual(self.as_user("tessera --version").strip(), "0.1.0")
            self.as_user("cp /usr/share/tessera/notebooks/transformer.kineto.json.gz .")
            self.as_user("tessera import transformer.kineto.json.gz --out net")
            (self.root / "work/sweep.yaml").write_text(SWEEP)
            printed = self.as_user("tessera sweep sweep.yaml --out swept")
            self.assertIn("2 of 2 points finished, 0 failed", printed)
            self.assertIn("tessera: no gnuplot (package gnuplot-nox): the plots are not drawn\n", printed)
            self.as_user("tessera report swept")
            self.assertGreater((self.root / "work/swept/report.html").stat().st_size, 10_000)
            for command, package in (("run --abstraction rtl", "verilator"), ("synth", "qflow-tech-osu018")):
                printed = self.as_user(f"tessera {command}", status=1)
                self.assertRegex(printed, rf"\Atessera: .* not found: .* needs Debian's package {package}\n\Z")
        with self.subTest("with what is recommended it draws, and notebooks run"):
            self.install(*FIGURES, *NOTEBOOKS)
            self.assertNotIn("not drawn", self.as_user("tessera sweep sweep.yaml --out swept --tables"))
            (self.root / "work/execute.py").write_text(EXECUTE)
            self.as_user("python3 execute.py")
            self.in_root("python3 -c 'import tessera'")
        with self.subTest("upgraded it works as before"):
            self.install("./tessera_0.1.1_amd64.deb")
            self.assertEqual(self.in_root("dpkg-query -W -f '${Version}' tessera"), "0.1.1")
            self.as_user("tessera run net/shared.yaml --set stop.max_time_us=500")
            self.as_user("python3 execute.py")
        with self.subTest("man knows it"):
            self.assertIn(".TH TESSERA", self.in_root("zcat /usr/share/man/man1/tessera-run.1.gz"))
        with self.subTest("removed it has left nothing"):
            self.assertTrue(self.remains())
            self.in_root("apt-get purge --yes --quiet tessera")
            self.assertEqual(self.remains(), [])


if __name__ == "__main__":
    unittest.main()
