# SPDX-License-Identifier: Apache-2.0
"""Writes what is generated from the register map: a header in C, and the IP's description in IP-XACT."""

import c_header
import ip_xact
from sources import ROOT

FILES = {"tlm/include/tessera/tsr_registers.h": c_header.text, "rtl/tsr_ip.xml": ip_xact.text}

if __name__ == "__main__":
    for name, text in FILES.items():
        (ROOT / name).write_text(text())
