// SPDX-License-Identifier: Apache-2.0
// How much time of each class lies in any stretch of a track, exactly, without a walk over its slices: the sums of
// whole groups of slices are kept.

const kGroup = 32;

export function addCoverage(track, classes) {
  const { count, begin, end } = track;
  track.class = new Uint8Array(count);
  const groups = Math.floor(count / kGroup) + 1;
  const sums = new Float64Array(groups * classes.count);
  const now = new Float64Array(classes.count);
  for (let i = 0; i < count; ++i) {
    if (i % kGroup === 0) sums.set(now, (i / kGroup) * classes.count);
    track.class[i] = classes.of(track, i);
    now[track.class[i]] += end[i] - begin[i];
  }
  if (count % kGroup === 0) sums.set(now, (count / kGroup) * classes.count);
  track.sums = sums;
}

// Adds to `into`, by class, the time of slices [first, last), each as far as it lies within [from, to).
export function addBetween(track, numClasses, first, last, from, to, into) {
  const { begin, end, sums } = track;
  const add = (i) => {
    into[track.class[i]] += Math.min(end[i], to) - Math.max(begin[i], from);
  };
  if (last - first <= 3 * kGroup) {
    for (let i = first; i < last; ++i) add(i);
    return;
  }
  // The first and the last slice may be cut; whole groups lie in between.
  const firstGroup = Math.floor((first + kGroup) / kGroup);
  const lastGroup = Math.floor((last - 1) / kGroup);
  for (let i = first; i < firstGroup * kGroup; ++i) add(i);
  for (let c = 0; c < numClasses; ++c) into[c] += sums[lastGroup * numClasses + c] - sums[firstGroup * numClasses + c];
  for (let i = lastGroup * kGroup; i < last; ++i) add(i);
}
