// SPDX-License-Identifier: Apache-2.0
// The keys in which two Specs differ, as dotted paths. Entries of lists that have names go by these.

function entriesOf(value) {
  if (!Array.isArray(value)) return Object.entries(value);
  const hasNames = value.every((each) => each !== null && typeof each === "object" && typeof each.name === "string");
  return value.map((each, i) => [hasNames ? each.name : String(i), each]);
}

function leaves(value, path, into) {
  if (value === null || typeof value !== "object") {
    into.set(path, JSON.stringify(value));
    return into;
  }
  for (const [key, each] of entriesOf(value)) leaves(each, path === "" ? key : `${path}.${key}`, into);
  return into;
}

export function specDifferences(a, b) {
  const [left, right] = [leaves(a, "", new Map()), leaves(b, "", new Map())];
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((key) => left.get(key) !== right.get(key))
    .map((key) => ({ key, A: left.get(key) ?? null, B: right.get(key) ?? null }));
}
