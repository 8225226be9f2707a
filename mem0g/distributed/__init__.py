"""Ingest with several workers: processes of this machine, or the workers of a Dask cluster.

The work is cut by scope: the messages of one scope are ingested by one worker, in order; scopes go side by side. A
scope's facts are the same whoever ingests it. For a cluster install the extra ``dask``: pip install "mem0g[dask]".
"""

from mem0g.distributed.cluster import ingest_on_cluster
from mem0g.distributed.processes import ingest_in_processes
from mem0g.distributed.tasks import IngestTask, MemoryOptions, tasks_by_user

__all__ = ["IngestTask", "MemoryOptions", "ingest_in_processes", "ingest_on_cluster", "tasks_by_user"]
