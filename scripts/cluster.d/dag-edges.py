"""Parses a DAG, refuses warnings, and compares its edges with `PARENT CHILD` lines of standard input."""

import sys

from airflow.models.dagbag import DagBag


def main(path):
    bag = DagBag(path, include_examples=False)
    if bag.import_errors or bag.captured_warnings or len(bag.dags) != 1:
        print(f"{path}: {bag.import_errors or bag.captured_warnings or bag.dags}", file=sys.stderr)
        return 1
    (dag,) = bag.dags.values()
    found = {(parent.task_id, child) for parent in dag.tasks for child in parent.downstream_task_ids}
    expected = {tuple(line.split()) for line in sys.stdin if line.strip()}
    if found != expected:
        print(f"{path}: the edges are {sorted(found)}, not {sorted(expected)}", file=sys.stderr)
        return 1
    print(f"{path}: {len(dag.tasks)} tasks, {len(found)} edges, no warnings")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
