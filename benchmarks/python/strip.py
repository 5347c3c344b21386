"""What `husk strip ARCHIVE -o FILE` does, from Python: strip.py ARCHIVE BASE_URL TEMPLATES FILE"""
import sys

import husk

archive, base_url, templates, file = sys.argv[1:]
site = husk.Site(archive, base_url=base_url)
with open(file, "w", encoding="utf-8") as out:
    for row in site.strip(husk.Templates.load(templates)):
        out.write(row.to_json() + "\n")
