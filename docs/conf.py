"""Settings of the documentation site; `make docs` builds it into build/docs."""

import os
import sys
from pathlib import Path

os.environ["GAMEPLAY_PURE"] = "1"  # compiled functions have no signatures; before the package is imported

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_ext")]

from reference import man_pages as made_man_pages  # noqa: E402

from gameplay import __version__  # noqa: E402

project = "gameplay"
author = "the authors of gameplay"
copyright = author
version = release = __version__

extensions = ["reference", "recordings", "myst_parser", "sphinx_design", "sphinx_copybutton"]
exclude_patterns = ["_ext", "_static"]
myst_enable_extensions = ["colon_fence", "deflist", "fieldlist", "attrs_inline"]
myst_heading_anchors = 4
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
copybutton_here_doc_delimiter = "EOF"

highlight_language = "text"  # blocks without a language are output
python_maximum_signature_line_length = 88

html_theme = "furo"
html_static_path = ["_static"]
html_title = "gameplay"
html_copy_source = False
html_show_sphinx = False

man_pages = made_man_pages(author)
man_make_section_directory = True
