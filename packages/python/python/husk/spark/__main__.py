"""Prints where the job is, for spark-submit."""

from . import job

print(job.__file__)
