"""What the documentation site needs beside MkDocs: navigation out of the folders, and the Markdown of GitHub.

The pages are written for GitHub, in CommonMark. Python-Markdown differs in five things, which are carried over here:
names of files behind the language of a code block, the indentation of lists, bars in the code of tables, the anchors of
headings, and links to files that are no pages.
"""

import os
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

root = Path(__file__).resolve().parents[2]
# The address of the repository's files in a browser, for example https://github.com/OWNER/reactor/blob/main.
repository = os.environ.get("REACTOR_REPOSITORY", "").rstrip("/")


# Pages that are a section by themselves: their tables get the room of the navigation.
alone = ["docs/guarantees.md", "docs/coverage.md"]

# Navigation


def on_config(config):
    pages = Path(config.docs_dir)
    config.nav = navigation(pages)
    config.mdx_configs["toc"]["slugify"] = reading.slug
    config.markdown_extensions.append(PagesOfTheRepository())
    return config


def navigation(pages):
    """The sections by name; whatever page of docs/ has no section stands in the first one."""
    sections = [
        {"Guides": folder(pages, "docs/guides")},
        {"Reference": folder(pages, "docs/reference")},
        {"Guarantees": alone[0]},
        {"Coverage": alone[1]},
        {"Decisions": folder(pages, "docs/decisions")},
        {"Changes": [page for page in ("docs/changes.md", "docs/versions.md") if (pages / page).exists()]},
    ]
    placed = set(paths(sections))
    top = [source(pages, page) for page in (*pages.glob("*.md"), *pages.glob("docs/*.md"))]
    top.sort(key=lambda page: (page != "README.md", "/" not in page, page))
    return [{"Start": [page for page in top if page not in placed]}, *sections]


def folder(pages, name):
    """The pages of a folder in the order in which its index links to them, then the others by name.

    A page beside a folder of its name is the index of that folder.
    """
    found = sorted((pages / name).glob("*.md"))
    index = pages / name / "README.md"
    if not index.exists():
        index = pages / (name + ".md")
    linked = re.findall(r"\]\(([^)#\s]+\.md)", index.read_text()) if index.exists() else []
    order = [Path(os.path.normpath(index.parent / link)) for link in linked]
    found.sort(key=lambda page: (page.name != "README.md", order.index(page) if page in order else len(order)))
    entries = []
    for page in found:
        below = page.with_suffix("")
        if below.is_dir():
            entries.append({title(page): [{"Overview": source(pages, page)}, *folder(pages, source(pages, below))]})
        else:
            entries.append(source(pages, page))
    known = {page.with_suffix("").name for page in found}
    for below in sorted((pages / name).iterdir()):
        if below.is_dir() and below.name not in known and any(below.rglob("*.md")):
            entries.append({below.name.replace("-", " ").capitalize(): folder(pages, source(pages, below))})
    return entries


def source(pages, page):
    return page.relative_to(pages).as_posix()


def title(page):
    return next((line[2:].strip() for line in page.read_text().splitlines() if line.startswith("# ")), page.stem)


def paths(entries):
    for entry in [entries] if isinstance(entries, str) else entries:
        if isinstance(entry, str):
            yield entry
        else:
            for value in entry.values():
                yield from paths(value)


# Pages


class Reading:
    """The page that is being read, and the anchors that it has so far."""

    def begin(self, page, files):
        self.path, self.files = page.file.src_uri, files
        self.anchors = {}

    def slug(self, text, separator):
        """The anchor that GitHub gives a heading: a second one of the same text gets -1."""
        anchor = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)
        count = self.anchors.get(anchor, 0)
        self.anchors[anchor] = count + 1
        return f"{anchor}{separator}{count}" if count else anchor


reading = Reading()


def on_page_markdown(markdown, page, config, files):
    reading.begin(page, files)
    if reading.path.startswith("docs/decisions/"):
        # Who searches for a key or an error looks for a guide or the reference first.
        page.meta.setdefault("search", {"boost": 0.1})
    if reading.path in alone:
        page.meta.setdefault("hide", ["navigation"])
    return "\n".join(carried_over(markdown.split("\n")))


fence = re.compile(r"^(`{3,}|~{3,}) *([\w#.+-]*) *([^`]*)$")
item = re.compile(r"^(?:[-*+]|\d{1,9}[.)]) +(?=\S)")


def carried_over(lines):
    """Writes names of files behind a language as titles, and four spaces for each level of a list."""
    offsets = []  # the columns at which the contents of the open items begin
    shift = 0  # how far the present line moves to the right
    closing = None  # the open fence
    block = None  # whether the present block began with an item; None behind an empty line
    for line in lines:
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        if closing:
            yield " " * max(indent + shift, 0) + text if text else line
            if text.rstrip() == closing:
                closing = block = None
            continue
        if not text:
            yield line
            block = None
            continue
        marker, start = item.match(text), fence.match(text)
        if block is None or marker or start:
            while offsets and indent < offsets[-1]:
                offsets.pop()
            shift = 4 * len(offsets) - (offsets[-1] if offsets else 0)
            if marker and block is False:
                yield ""
            block = bool(marker)
        if start:
            closing = start[1]
            text = closing + start[2] + (f' title="{start[3].strip()}"' if start[3].strip() else "")
        yield " " * (indent + shift) + text
        if marker:
            offsets.append(indent + marker.end())


class PagesOfTheRepository(Extension):
    def extendMarkdown(self, md):
        # Before MkDocs resolves the links among pages, which has the priority 0.
        md.treeprocessors.register(LinksOutside(md), "links_outside", 1)
        md.treeprocessors.register(BarsInTables(md), "bars_in_tables", 1)


class LinksOutside(Treeprocessor):
    """Links to files of the repository that are no pages lead to its browser; where none is known they are code."""

    def run(self, document):
        for element in list(document.iter("a")):
            parts = urlsplit(element.get("href", ""))
            if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
                continue
            path = os.path.normpath(os.path.join(os.path.dirname(reading.path), unquote(parts.path)))
            # MkDocs reports what does not exist.
            if reading.files.get_file_from_path(path) is None and not path.startswith("..") and (root / path).exists():
                self.lead_outside(element, path, parts.fragment)

    def lead_outside(self, element, path, fragment):
        if repository:
            element.set("href", f"{repository}/{path}" + (f"#{fragment}" if fragment else ""))
        else:
            element.tag = "span" if any(child.tag == "code" for child in element) else "code"
            element.attrib.clear()


class BarsInTables(Treeprocessor):
    """`a\\|b` in a cell is `a|b`, in code too."""

    def run(self, document):
        for cell in document.iter("td"):
            for code in cell.iter("code"):
                code.text = AtomicString((code.text or "").replace("\\|", "|"))
