"""What adapters share: pages of many sites in two passes, with other people's machinery in between.

The first pass draws a sample of each site (`sample`) and writes it down in parts (`sample_files`); these are put
together and learned from. The second pass looks up the templates of each page's site (`template_files`) and tells of
the page (`told`).
"""
