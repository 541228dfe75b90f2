# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, in the program's own words."""


class TesseraError(RuntimeError):
    """The program failed, or a folder does not hold what was asked for.

    The text is what the program wrote on standard error. `status` is its exit status, None where it did not run.
    """

    def __init__(self, text: str, status: int | None = None) -> None:
        super().__init__(text)
        self.status = status


class TesseraWarning(UserWarning):
    """What the program said beside its results, or what of them is not there."""


class InputError(TesseraError):
    """The input is wrong: a line `file:line:column: key: problem (value; allowed)` for each mistake."""
