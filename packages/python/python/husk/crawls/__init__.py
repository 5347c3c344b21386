"""What the adapters share: two passes over the pages of many sites.

The first pass samples the pages of each site (`sample`) and writes the samples to files (`sample_files`), from which templates
are learned. The second pass looks up the templates of each page's site (`template_files`) and builds its row (`rows`).
"""
