#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bundles report/page/ into report/bundle/ (or into the folder given), which is checked in: run it after a change of the
# page. Needs Debian's esbuild, for developers only; tests/report says whether the bundle is current.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
out="${1:-bundle}"
options=(--bundle --minify --log-level=warning --legal-comments=none)
esbuild page/main.js "${options[@]}" --format=iife --target=es2022 --outfile="$out/page.js"
esbuild page/style/page.css "${options[@]}" --outfile="$out/page.css"
