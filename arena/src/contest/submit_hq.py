"""Has the shards of a manifest played by HyperQueue through its Python API (PyPI: hyperqueue).

Usage: python3 submit_hq.py job.json

Connects to the server of the directory HQ_SERVER_DIR if that is set; otherwise it starts a server and a worker on this
machine and ends both afterwards. A task that fails is submitted again: a shard keeps what it had finished.
"""

import json
import os
import sys
from pathlib import Path

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig
from hyperqueue.ffi.protocol import ResourceRequest

ATTEMPTS = 5


def play(client, name, tasks):
    """Submits the tasks as one job, waits for it, and returns those that failed."""
    job = Job(name=name, max_fails=None)
    by_id = {}
    for task in tasks:
        submitted = job.program(
            task["command"],
            stdout=task["log"],
            stderr=task["log"],
            name=f"shard {task['shard']}",
            resources=ResourceRequest(cpus=task["cpus"]),
            crash_limit=5,
        )
        by_id[submitted.task_id] = task
    submitted = client.submit(job)
    if client.wait_for_jobs([submitted], raise_on_error=False):
        return []
    failed = client.get_failed_tasks(submitted)
    for task_id, context in failed.items():
        print(f"shard {by_id[task_id]['shard']} failed: {context.error}", file=sys.stderr)
    return [by_id[task_id] for task_id in failed]


def play_all(client, name, tasks):
    for _ in range(ATTEMPTS):
        tasks = play(client, name, tasks)
        if not tasks:
            return
    shards = ", ".join(str(task["shard"]) for task in tasks)
    sys.exit(f"shards failed {ATTEMPTS} times: {shards}; their logs say why")


def main():
    job = json.loads(Path(sys.argv[1]).read_text())
    server = os.environ.get("HQ_SERVER_DIR")
    if server:
        play_all(Client(server), job["name"], job["tasks"])
        return
    with LocalCluster(worker_config=WorkerConfig(cores=os.cpu_count())) as cluster:
        play_all(cluster.client(), job["name"], job["tasks"])


if __name__ == "__main__":
    main()
