// SPDX-License-Identifier: Apache-2.0
// The partition of each SM, as a band beside the rows of the SMs.
import { colorOfPartition, kNoPartition } from "../base/partitions.js";
import { kGutter } from "./layout.js";

const kBand = { x: kGutter - 9, width: 5 };
const kNameFrom = 52; // right of "SM 255"

// [{owner, y, height}]: SMs in a row that are in the same partition.
function stretches(rows, ownerOf) {
  const found = [];
  for (const { track, y, height } of rows) {
    if (track.group !== "sm") continue;
    const owner = ownerOf[track.index] ?? kNoPartition;
    const last = found[found.length - 1];
    if (last?.owner === owner) last.height = y + height - last.y;
    else found.push({ owner, y, height });
  }
  return found;
}

export function drawBands(context, rows, { names, ownerOf }, colors) {
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const { owner, y, height } of stretches(rows, ownerOf)) {
    context.fillStyle = owner < 0 ? colors.grid : colorOfPartition(owner);
    context.fillRect(kBand.x, y, kBand.width, height);
    if (height < 11) continue;
    let text = owner < 0 ? "no partition" : names[owner];
    while (text.length > 3 && context.measureText(text).width > kBand.x - 4 - kNameFrom) text = `${text.slice(0, -2)}…`;
    context.fillStyle = colors.muted;
    context.fillText(text, kBand.x - 4, y + Math.min(height / 2, 11));
  }
}
