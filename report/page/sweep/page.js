// SPDX-License-Identifier: Apache-2.0
import { el } from "../base/dom.js";
export function sweepPage({ sweep }) { return { title: sweep.name, subtitle: "", nodes: [el("p", {}, "sweep")], probe: {} }; }
