# SPDX-License-Identifier: Apache-2.0
# Sphinx's settings for the site (tools/site.sh). The pages are put together by assemble.py.
project = "Countersink"
html_title = "Countersink"
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]  # pictures for light and for dark
myst_linkify_fuzzy_links = False
# assemble.py names the language of each block.
highlight_language = "none"
smartquotes = False
html_theme = "furo"
html_static_path = ["static"]
html_logo = "static/logo.svg"
html_favicon = "static/logo.svg"
html_css_files = ["site.css"]
html_js_files = ["search_excerpts.js"]
# Sphinx would fetch pages for them; search_excerpts.js does without.
html_show_search_summary = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
exclude_patterns = ["site"]
