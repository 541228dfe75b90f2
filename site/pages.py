# SPDX-License-Identifier: Apache-2.0
"""What mkdocs does not do by itself: navigation from the map, and links to files outside of docs/."""

import os
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
MAP = DOCS / "README.md"
LINK = re.compile(r"\[((?:[^\[\]]++|\[[^\]]*+\])*+)\]\(([^)\s#]+)(#[^)\s]*)?\)")


def slug(heading, separator):
    """The anchor that GitHub gives a heading: links work in both places."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def navigation(text):
    """Groups of pages: the second-level headings of the map that have a numbered list, and the list's first links."""
    groups = [{"Map": "README.md"}]
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        pages = [{title: target} for title, target in re.findall(r"^\d+\. \[([^\]]*)\]\(([^)#]*)\)", section, re.MULTILINE)]
        if pages:
            groups.append({re.split(r"[:\n]", section)[0]: pages})
    return groups


def outside_to_text(markdown, folder):
    """A link out of docs/ has no page on the site: its words stay, with the path where the words do not have it."""
    def replace(match):
        words, target, _ = match.groups()
        path = os.path.normpath(os.path.join(folder, target))
        if re.match(r"[a-z]+:", target) or not path.startswith(".."):
            return match[0]
        place = os.path.relpath(os.path.join(DOCS, path), DOCS.parent)
        return words if place in words else f"{words} (`{place}`)"

    return LINK.sub(replace, markdown)


def on_config(config):
    config["nav"] = navigation(MAP.read_text())
    return config


def on_page_markdown(markdown, page, config, files):
    folder = os.path.dirname(page.file.src_path)
    parts = re.split(r"(^```.*?^```)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part.startswith("```") else outside_to_text(part, folder) for part in parts)
