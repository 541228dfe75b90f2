// SPDX-License-Identifier: Apache-2.0
// The partition of each SM, as a band beside the rows of the SMs.
import { colorOfPartition, kNoPartition } from "../base/partitions.js";
import { kGutter } from "./layout.js";

const kBand = { x: kGutter - 9, width: 5 };
const kNameFrom = 52; // right of "SM 255"

// [{owners, y, height}]: SMs in a row that are in the same partitions.
function stretches(rows, ownersOf) {
  const found = [];
  for (const { track, y, height } of rows) {
    if (track.group !== "sm") continue;
    const owners = ownersOf[track.index];
    const last = found[found.length - 1];
    if (last && String(last.owners) === String(owners)) last.height = y + height - last.y;
    else found.push({ owners, y, height });
  }
  return found;
}

// Of an SM in several partitions the band is divided among them.
export function drawBands(context, rows, { names, ownersOf }, colors) {
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const { owners, y, height } of stretches(rows, ownersOf)) {
    owners.forEach((owner, i) => {
      const width = kBand.width / owners.length;
      context.fillStyle = owner === kNoPartition ? colors.grid : colorOfPartition(owner);
      context.fillRect(kBand.x + i * width, y, width, height);
    });
    if (height < 11) continue;
    let text = owners.map((owner) => names[owner] ?? "no partition").join(", ");
    while (text.length > 3 && context.measureText(text).width > kBand.x - 4 - kNameFrom) text = `${text.slice(0, -2)}…`;
    context.fillStyle = colors.muted;
    context.fillText(text, kBand.x - 4, y + Math.min(height / 2, 11));
  }
}
