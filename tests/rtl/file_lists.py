# SPDX-License-Identifier: Apache-2.0
"""What rtl/*.f list."""


def files_of(root, *lists):
    """Files, without what such a list says beside: the include folder."""
    return [word for name in lists for word in (root / "rtl" / name).read_text().split() if not word.startswith("+")]
