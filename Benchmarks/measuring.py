"""What the benchmarks of this folder share: starting a process and measuring it, the build, the machine.

To be imported first: the processes that are measured are started by a small process, which is forked here.
"""

import os
import sys
import time


def launcher(commands, results):
    """Starts processes for the driver. A process's peak counts from its parent's memory, hence a small one, forked
    before the driver imports and builds anything."""
    import json
    for line in commands:
        order = json.loads(line)
        began = time.perf_counter()
        pid = os.fork()
        if pid == 0:
            try:
                os.chdir(order["folder"])
                null = os.open(os.devnull, os.O_RDWR)
                log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
                os.dup2(null, 0), os.dup2(log, 1), os.dup2(log, 2)
                os.execv(order["command"][0], order["command"])
            finally:
                os._exit(127)
        _, status, usage = os.wait4(pid, 0)
        seconds = time.perf_counter() - began
        peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        print(os.waitstatus_to_exitcode(status), seconds, peak, file=results, flush=True)


def start_launcher():
    order_read, order_write = os.pipe()
    answer_read, answer_write = os.pipe()
    if os.fork() == 0:
        os.close(order_write), os.close(answer_read)
        launcher(os.fdopen(order_read), os.fdopen(answer_write, "w"))
        os._exit(0)
    os.close(order_read), os.close(answer_write)
    return os.fdopen(order_write, "w"), os.fdopen(answer_read)


ORDERS, ANSWERS = start_launcher()

import json
import pathlib
import platform
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
MB = 1e6


def measure(command, folder):
    """Runs a command: seconds and peak bytes; ends the program when it fails."""
    log = folder / "log"
    print(json.dumps({"command": [str(c) for c in command], "folder": str(folder), "log": str(log)}), file=ORDERS, flush=True)
    code, seconds, peak = ANSWERS.readline().split()
    if code != "0":
        sys.exit(f"{' '.join(map(str, command))}: exit {code}\n{log.read_text(errors='replace')}")
    return float(seconds), int(peak)


def rounds(command, folder, count):
    """Median seconds and greatest peak of some rounds."""
    results = [measure(command, folder) for _ in range(count)]
    return statistics.median(r[0] for r in results), max(r[1] for r in results)


def release_build():
    built = subprocess.run([HERE.parent / "scripts" / "build"], check=True, stdout=subprocess.PIPE, text=True)
    return pathlib.Path(built.stdout.strip())


def machine():
    model = platform.processor() or platform.machine()
    try:
        for line in open("/proc/cpuinfo"):
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"
