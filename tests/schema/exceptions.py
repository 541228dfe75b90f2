# SPDX-License-Identifier: Apache-2.0
"""What the loader refuses and the JSON Schemas accept: each class, with the reason. Each entry is needed by a case."""

import re

# ---- one value changed ------------------------------------------------------------------------------------------------
# Kind of file, its keys, the changes (mutations.py), and why.

ANY_TEXT = "any text of so many characters is a name: that nothing has it, only the loader knows"
OTHER_KEY = "what one key needs or forbids beside another"
PATH = "whether a file is there, only the loader knows"

CHANGES = [
    ("experiment|task_set", r"gpu|host|.*\.?application", "word", PATH),
    ("experiment", r"workload\.processes\[\]\.arrivals_file", "word", PATH),
    ("experiment", r"driver\.spec", "type", PATH),
    ("measurements", r"rows\[\]\.experiment", "word", PATH),
    ("sweep", r"base", "type", PATH),
    ("sweep", r"base\.(gpu|workload\.processes\[\]\.application)", "word", PATH),
    ("sweep", r"base\..*", "missing", "axes and `set` may supply it"),
    ("application", r"program\[\]\..*\.stream", "above|below|word|quoted", ANY_TEXT),
    ("sweep", r"axes\[\]\.values\[\]", "above|below|word|quoted|type", "a value may be anything: its key decides"),
    ("sweep", r"plots\[\]\.where(\.sms)?", "above|below|word|quoted|type|unknown", "names and values are those of axes"),
    ("sweep", r"when(\[\])?", "word|type", "a condition has a grammar of its own"),
    ("application", r"kernels|streams", "missing", "steps call them by name"),
    ("application", r"kernels\[\]\.(dram_bytes_per_tb|event_driven)", "missing", OTHER_KEY),
    ("application", r"kernels\[\]\.event_driven\.loop\.body\[\]\.bytes", "missing", OTHER_KEY),
    ("gpu", r"framework\.(channels|gpu_switch\..*)", "missing", OTHER_KEY),
    ("host", r"cores|io\.disk_mbps", "missing", OTHER_KEY),
    ("experiment", r"scheduler\.(order|partitions(\.(instances|clients))?|technique|board|turn|switch_scope)", "missing",
     OTHER_KEY),
    ("experiment", r"baseline\.policy|driver\.kind|host\.cores", "missing", OTHER_KEY),
    ("experiment", r"workload\.processes\[\]\.(partition|period_.*|arriv.*|pause_us)", "missing", OTHER_KEY),
    ("task_set", r"tasks\[\]\.kernel", "missing", OTHER_KEY),
    ("measurements", r"constants|ablations", "missing", "rows call them by name"),
    ("measurements", r"rows\[\]\.kernel", "missing", OTHER_KEY),
    ("measurements", r"rows\[\]\.(quantities(\[\]\.(measured|at|unit))?|measured|columns(\..*)?)", "missing", OTHER_KEY),
    ("sweep", r"set(\.driver\.kind)?", "missing", OTHER_KEY),
    ("sweep", r"axes\[\]\.(name|range\.(step|count|factor))", "missing", OTHER_KEY),
]

# Keys that the samples lack.
WITHOUT_SAMPLE = r"rows\[\]\.columns\..*"  # tables of other kinds of row: read by the rule of those that are there

# ---- wrong files of other tests ---------------------------------------------------------------------------------------

TESTS_OF_WRONG_FILES = ("*Spec*", "*Sweep*", "*TaskSet*", "*Synth*", "*Measure*", "-*Fuzz*")

# The mistake as the loader tells it, and why.
MISTAKES = [
    (r".*: (is not an integer|is not finite|has leading zeros|has more than \d digits behind the point)",
     "how a number is written: YAML has read it before a schema sees it"),
    (r": (duplicate key|an alias is not supported)", "YAML's own: a schema sees what it stands for"),
    (r".*: (cannot be read: .*|.* is (an application|a GPU) file|the file refers to itself|is longer than 16 MiB)",
     "of the file that is referred to"),
    (r".*: (duplicate (name|value)|is named twice|is in partition '.*' already|SM \d+ is in partition '.*' already"
     r"|an earlier entry has this (name|process)|is that of the stream that every application has"
     r"|an axis cannot have the name of a column|a seed is no axis|task '.*' is in none)",
     "entries against each other, or against names that are taken"),
    (r".*: (no (process|such|constant|step|task|point)\b.*|names no axis.*|is not a column|is no process of this row"
     r"|(the (experiment|process|file)|application '.*') has no .*|rows of .* have no such quantity)",
     "names that must be somewhere else"),
    (r".*: (cannot be combined with|only valid (with|for)|not valid for|neither scheduler nor baseline reads it"
     r"|does not go with|has no place in|a (copy|launch|node) (in|of) a|is another stream than|an order is|is kept back"
     r"|what is kept back has no table|is measured on a core that is not|must be one|orders by deadlines"
     r"|gives contexts priorities|takes contexts off|level 3 takes contexts off|knows nothing of"
     r"|no kernel has a kind|a refill lane needs a tag).*", OTHER_KEY),
    (r".*: (is missing|is empty)\b.*", "needed by the value of another key, or where it is there at all"),
    (r".*\.(search_width|num_sms|sms\.\d+|slices|slice_sms): (is out of range|no instance has so many slices)",
     "the limit is the GPU's"),
    (r".*\.stream: is out of range", ANY_TEXT),
    (r"driver\.spec\.\d+: .*", "the fields of a text"),
    (r".*: (is (more|less|below|above|before|no more|not ascending|too (large|low|small)|persistent)|has (no more|too many)"
     r"|takes more|too many|have too many|the (batch|least common|callbacks|GPU)|kernel '.*'|host '.*'|process '.*'"
     r"|every process|an application has|GPU '.*' has no|makes a task|no task set in|leaves no point"
     r"|has (a number|another number)|reserve '.*').*", "arithmetic between keys, entries or files"),
]


def of_change(kind, key, change):
    return next((entry for entry in CHANGES if re.fullmatch(entry[0], kind) and re.fullmatch(entry[1], key)
                 and re.fullmatch(entry[2], change)), None)


def of_mistake(mistake):
    return next((entry for entry in MISTAKES if re.fullmatch(entry[0], mistake)), None)
