#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the figures that pages quote and that change with the sources: `./tessera measure NAME...`.

Each row of MEASUREMENTS is a command, and what is kept of what it prints. The result goes to docs/measured.json: {name:
{command, commit, date, figures: {row: {figure: value}}}}. Pages quote it behind the number, in a comment that no reader
sees (tests/docs/test_measured.py holds the two against each other):

    81 % <!-- measured agreement; all: exact_percent -->
    | 13 | 20.1 | 350 <!-- measured gates_design_space; default: kge, fmax_mhz -->
"""

import argparse
import datetime
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MEASURED = ROOT / "docs/measured.json"


def percent(part, whole):
    return round(100 * part / whole, 2) if whole else None


def agreement(out):
    """Of all experiments, and of those with something special: how many agree, and how well."""
    def counts(results):
        verdicts = [result["agreement"]["verdict"] for result in results]
        kinds = ("exact", "within_tolerance", "explained", "unexplained", "faulty")
        return {"experiments": len(results), **{kind: verdicts.count(kind) for kind in kinds},
                "exact_percent": percent(verdicts.count("exact"), len(results))}

    def has(result, key):
        return key in json.dumps(result["spec"])

    results = out["results"]
    steps, overtaken = out["decisions"]["steps"], out["decisions"]["overtaken"]
    return {
        "all": {**counts(results), "steps": steps, "overtaken_percent": round(100 * overtaken / steps, 4)},
        "linger": counts([one for one in results if one["spec"]["scheduler"].get("linger_us")]),
        "kept_turn": counts([one for one in results if one["spec"]["scheduler"].get("turn") == "kept"]),
        "static_partition": counts([one for one in results if one["spec"]["scheduler"]["policy"] == "static_partition"]),
        "event_driven": counts([one for one in results if has(one, '"event_driven"')]),
        "token": counts([one for one in results if one["spec"].get("driver", {}).get("kind") == "gloop"]),
        "driver": {"decisions": sum(one["agreement"]["driver"]["decisions"] for one in results),
                   "differ": sum(one["agreement"]["driver"]["differs"] for one in results)},
    }


def lockstep(out):
    configurations = out["configurations"]
    total = {key: sum(one[key] for one in configurations)
             for key in ("cycles", "active_cycles", "episodes", "resets", "kernels", "turns", "switches",
                         "register_comparisons")}
    coverpoints, missed = configurations[0]["coverpoints"], out["coverpoints_missed"]
    return {"all": {**total, "configurations": len(configurations), "coverpoints": coverpoints,
                    "coverpoints_met": coverpoints - len(missed), "coverpoints_missed": missed}}


def coverage(out):
    figures = {"coverpoints": len(out["coverpoints"]),
               "coverpoints_met": sum(point["hits"] > 0 for point in out["coverpoints"])}
    for kind in ("lines", "branches", "toggles"):
        for share in ("hit", "explained", "total"):
            figures[f"{kind}_{share}"] = sum(file[kind][share] for file in out["files"])
    return {"all": figures}


def mutants(out):
    def counts(group):
        faults = group["mutants"] - group["equivalent"]
        return {"mutants": group["mutants"], "equivalent": group["equivalent"], "faults": faults,
                "caught": group["caught"], "caught_percent": percent(group["caught"], faults)}

    files = {Path(file).stem: counts(group) for file, group in out["by_file"].items()}
    return {"all": {**counts(out), "survivors": len(out["survivors"])}, **files}


def faults(out):
    by = [one["found_by"] for one in out]
    return {"all": {"faults": len(by), "found": len(by) - by.count(None), "by_lockstep": by.count("lockstep"),
                    "by_proof": by.count("proof")}}


def proofs(out):
    bugs = [one["seeded_bug"] for one in out if one["seeded_bug"]]
    return {"all": {"properties": len(out), "proved": sum(one["pass"] for one in out),
                    "covers_reached": sum(one["cover_frame"] is not None for one in out), "seeded_bugs": len(bugs),
                    "seeded_bugs_found": sum(bug["fails_in_frame"] is not None for bug in bugs)},
            **{proof: {"properties": sum(one["proof"] == proof for one in out)}
               for proof in sorted({one["proof"] for one in out})}}


SIZES = ("n_sm", "num_ksrs", "search_width", "max_tbs_per_sm", "num_command_buffers", "num_contexts", "tb_id_bits",
         "wait_bits", "parity_bits", "linger", "kept_turn", "setup_tag_bits", "refill_lane")


def gates(out):
    """A row for each core; its name is what it does not share with the first, which is `default`: `n_sm=32 +edf`."""
    first = out["configurations"][0]

    def name(core):
        differs = [f"{key}={core[key]}" for key in SIZES if core[key] != first[key]]
        more = [policy for policy in core["policies"] if policy not in first["policies"]]
        if set(core["policies"]) >= set(first["policies"]):
            differs += [f"+{policy}" for policy in more]
        else:
            differs.append(",".join(core["policies"]))
        return " ".join(differs) or "default"

    def figures(core):
        paths = {f"{kind}_ns": path["period_ns"] for kind, path in core["paths"].items()}
        steady = {f"{policy}_cycles": cycles["steady"]["mean"]
                  for policy, cycles in core["decision_cycles_by_policy"].items()}
        times = {f"{policy}_ns": 1000 * cycles["steady"]["mean"] / core["fmax_mhz"]
                 for policy, cycles in core["decision_cycles_by_policy"].items()}
        return {"kge": core["kge"], "flip_flops": core["flip_flops"], "ram_bits": core["ram_bits"],
                "fmax_mhz": core["fmax_mhz"], **paths, **steady, **times}

    rows = {name(core): figures(core) for core in out["configurations"]}
    default = rows["default"]
    for row in rows.values():
        row.update({f"{key}_more": row[key] - default[key] for key in ("kge", "flip_flops", "ram_bits")})
    if len(rows) == 1:
        modules = {module["module"]: module["kge"] for module in first["modules"]}
        rows["modules"] = {**modules, "all": sum(modules.values())}
    if "front_end" in first:
        rows["front_end"] = first["front_end"]
    return {row: {key: round(value, 3) for key, value in figures.items()} for row, figures in rows.items()}


def speeds(out):
    """A row for each benchmark: what it counts, and its time in nanoseconds where it counts nothing."""
    fixed = {"name", "run_name", "run_type", "aggregate_name", "aggregate_unit", "family_index", "iterations",
             "per_family_instance_index", "repetitions", "repetition_index", "threads", "cpu_time", "real_time", "time_unit",
             "label"}
    return {one["name"].partition("/iterations")[0].replace(":", "="):
            {key: float(f"{value:.4g}") for key, value in one.items() if key not in fixed} or {"ns": one["cpu_time"]}
            for part in out for one in part["benchmarks"]}


RATIOS = "machine_over_bare|run_ahead_over|ten_million"

MEASUREMENTS = {  # name: (arguments, what is kept, CPU minutes)
    "agreement": (["agree", "--random", "2000", "--json"], agreement, 3),
    "agreement_with_driver": (["agree", "--random", "2000", "--with-driver", "--json"], agreement, 3),
    "agreement_with_links": (["agree", "--random", "2000", "--links", "--json"], agreement, 3),
    "lockstep": (["cosim", "--random", "11", "--cycles", "10000000", "--json"], lockstep, 6),
    "lockstep_long": (["cosim", "--random", "11", "--cycles", "100000000", "--no-assertions", "--json"], lockstep, 5),
    "lockstep_gates": (["cosim", "--random", "1", "--cycles", "1000000", "--synthesis",
                        "configs/synthesis/default.yaml", "--gates", "--json"], lockstep, 2),
    "coverage": (["coverage", "--cycles", "5000000", "--json"], coverage, 6),
    "mutants": (["mutate", "--cycles", "2000000", "--json"], mutants, 24),
    "faults": (["faults", "--json"], faults, 60),
    "proofs": (["prove", "-j", "2", "--json"], proofs, 18),
    "gates": (["synth", "--front-end", "--json"], gates, 2),
    "gates_additions": (["synth", "configs/synthesis/additions.yaml", "--json"], gates, 8),
    "gates_design_space": (["synth", "configs/synthesis/design_space.yaml", "--json"], gates, 40),
    "speeds": (["bench", "--benchmark_format=json", f"--benchmark_filter={RATIOS}"], speeds, 4),
}


def parse(text):
    """The JSON documents that follow each other in the output."""
    decoder, documents, at = json.JSONDecoder(), [], 0
    text = text.strip()
    while at < len(text):
        document, end = decoder.raw_decode(text, at)
        documents.append(document)
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return documents


def git(*arguments):
    return subprocess.run(["git", "-c", "safe.directory=*", *arguments], cwd=ROOT, check=True, text=True,
                          stdout=subprocess.PIPE).stdout.strip()


def command(name):
    """As a reader would type it."""
    arguments = [one for one in MEASUREMENTS[name][0] if one not in ("--json", "--benchmark_format=json")]
    return " ".join(["tessera", *arguments])


def entry(name, text, commit, date):
    """What docs/measured.json keeps of one measurement."""
    keep = MEASUREMENTS[name][1]
    output = parse(text) if keep is speeds else parse(text)[0]
    return {"command": command(name), "commit": commit, "date": date, "figures": keep(output)}


def read():
    return json.loads(MEASURED.read_text()) if MEASURED.exists() else {}


def write(entries):
    measured = {**read(), **entries}
    ordered = {name: measured[name] for name in MEASUREMENTS if name in measured}
    MEASURED.write_text(json.dumps(ordered, indent=1) + "\n")


def show():
    measured = read()
    for name, (_, _, minutes) in MEASUREMENTS.items():
        last = measured.get(name)
        when = f"{last['date']}, {last['commit'][:10]}" if last else "never"
        print(f"{name:24}{when:26}{minutes:3} CPU minutes   {command(name)}")


def main():
    options = argparse.ArgumentParser(prog="tessera measure", description="Measures the figures that pages quote, "
                                      "into docs/measured.json. Without names: what was measured, and when.")
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MEASUREMENTS))
    names = options.parse_args().names
    unknown = [name for name in names if name not in MEASUREMENTS]
    if unknown:
        options.error(f"unknown measurement: {', '.join(unknown)} (one of: {', '.join(MEASUREMENTS)})")
    if not names:
        show()
        return 0
    # New files count: CMake takes every source that is there.
    if git("status", "--porcelain", "--", ".", ":!docs"):
        options.error("sources differ from the last commit; commit them first: a figure belongs to a commit")
    for name in names:
        commit, date = git("rev-parse", "HEAD"), datetime.date.today().isoformat()
        run = subprocess.run([ROOT / "tessera", *MEASUREMENTS[name][0]], cwd=ROOT, text=True, stdout=subprocess.PIPE)
        if run.returncode != 0:
            print(f"tessera measure: {name}: exit status {run.returncode}; nothing is kept", file=sys.stderr)
            return 1
        write({name: entry(name, run.stdout, commit, date)})
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # who reads the list has seen enough
        sys.stderr.close()
    except KeyboardInterrupt:  # what was measured before is kept
        print("tessera measure: interrupted", file=sys.stderr)
        sys.exit(130)
