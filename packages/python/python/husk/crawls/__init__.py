"""Crawls of many sites, whatever runs them. Nothing here imports an engine.

On engines with a shuffle (Spark, Ray Data, Dask), `plan` counts pages per site, learns large sites and builds all rows, from
`stages` over Arrow batches (`batches`), `readers` of pages, and the `chosen` templates.

Adapters of other frameworks make two passes: the first samples the pages of each site (`sample`) and writes the samples to files
(`sample_files`), from which templates are learned. The second looks up the templates of each page's site (`template_files`) and
builds its row (`rows`).
"""
