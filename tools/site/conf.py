# Sphinx's settings for the site (tools/site.sh). The pages are put together by assemble.py.
project = "Countersink"
html_title = "Countersink"
extensions = ["myst_parser"]
myst_heading_anchors = 4
myst_linkify_fuzzy_links = False
# `$ ` lines and tables of the pages are no program text.
highlight_language = "none"
smartquotes = False
html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
exclude_patterns = ["site"]
