# SPDX-License-Identifier: Apache-2.0
"""A test of the built program, whose path is the first argument, in a folder of its own whose path has spaces."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).resolve()


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix=f"{type(self).__name__} test "))
        self.addCleanup(shutil.rmtree, self.folder)

    def tessera(self, *arguments, status=0, environment=os.environ):
        result = subprocess.run(
            [PROGRAM, *map(str, arguments)], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True,
        )
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result
