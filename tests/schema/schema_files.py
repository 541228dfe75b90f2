# SPDX-License-Identifier: Apache-2.0
"""The schemas of configs/schema, and YAML as editors and scripts read it."""

import functools
import json
import re
from pathlib import Path

import yaml
from jsonschema import Draft7Validator

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "configs"
SAMPLES = Path(__file__).parent / "samples"
KINDS = ("experiment", "gpu", "application", "host", "synthesis", "sweep", "task_set", "measurements")
MODELINE = re.compile(r"^# yaml-language-server: \$schema=(\S+)$", re.MULTILINE)


class Yaml11(yaml.SafeLoader):
    """As PyYAML reads it: `yes` is a boolean, `0x4` a number. JSON knows no dates."""


class Yaml12(yaml.SafeLoader):
    """As language servers read it: the core schema of YAML 1.2."""


Yaml11.yaml_implicit_resolvers = {
    start: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
    for start, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Yaml12.yaml_implicit_resolvers = {}
for tag, pattern, starts in (
        ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
        ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
        ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
         list("-+.0123456789"))):
    Yaml12.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), starts)


def with_text_keys(value):
    """JSON's keys are texts."""
    if isinstance(value, dict):
        return {str(key): with_text_keys(one) for key, one in value.items()}
    return [with_text_keys(one) for one in value] if isinstance(value, list) else value


def read(text, reader=Yaml12):
    return with_text_keys(yaml.load(text, reader))


@functools.lru_cache(maxsize=None)
def validator(kind):
    schema = json.loads((CONFIGS / f"schema/{kind}.schema.json").read_text())
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)


def is_accepted(kind, value):
    return validator(kind).is_valid(value)


def complaints(kind, value):
    return [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}"
            for error in validator(kind).iter_errors(value)]


def sample(path):
    """Kind and text of a sample, with the folders that it names."""
    text = path.read_text().replace("CONFIGS", str(CONFIGS)).replace("SAMPLES", str(SAMPLES))
    return path.name.split(".")[1], text
