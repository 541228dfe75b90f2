# SPDX-License-Identifier: Apache-2.0
"""What the claims about a full standard output share."""

import os
import subprocess


def check(test, program, commands, folder):
    """Each of these, with nowhere to write its output to, fails and says why in its last line."""
    for arguments in commands:
        with test.subTest(arguments=arguments), open("/dev/full", "w") as full:
            result = subprocess.run(
                [program, *arguments], cwd=folder, env=os.environ, stdin=subprocess.DEVNULL, stdout=full,
                stderr=subprocess.PIPE, text=True,
            )
            test.assertEqual(result.returncode, 1, result.stderr)
            test.assertEqual(
                result.stderr.splitlines()[-1],
                "tessera: cannot write to standard output: No space left on device",
            )
