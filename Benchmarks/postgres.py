"""A PostgreSQL server for the benchmarks, on a socket in a folder of its own."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time


class Postgres:
    """A server of its own, durable as it comes, of the newest version of Debian's that is installed."""

    def __init__(self, folder, *settings):
        """Starts it, with settings as NAME=VALUE."""
        found = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda p: float(p.parts[-3]), default=None)
        if not found:
            sys.exit("there is no /usr/lib/postgresql/*/bin/postgres: install postgresql")
        self.bin, self.folder, self.data = found.parent, folder / "postgres", folder / "postgres" / "data"
        self.folder.mkdir()
        user = []
        if os.geteuid() == 0:
            folder.chmod(0o755)
            shutil.chown(self.folder, "postgres", "postgres")
            user = (["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if shutil.which("setpriv")
                    else ["runuser", "-u", "postgres", "--"])
        log = open(folder / "postgres.log", "w")
        subprocess.run([*user, self.bin / "initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "-D", self.data],
                       cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=True)
        # A session of its own: Ctrl-C is for this program, which then stops it.
        self.process = subprocess.Popen(
            [*user, self.bin / "postgres", "-D", self.data, "-k", self.folder, "-c", "listen_addresses=", "-c", "autovacuum=off",
             *(f for setting in settings for f in ("-c", setting))],
            cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        for _ in range(300):
            ready = subprocess.run([self.bin / "pg_isready", "-q", "-h", self.folder, "-U", "postgres"]).returncode == 0
            if ready or self.process.poll() is not None:
                break
            time.sleep(0.1)
        if not ready:
            self.stop()
            sys.exit(f"PostgreSQL does not start\n{(folder / 'postgres.log').read_text()}")

    def url(self, database):
        return f"postgresql:///{database}?host={self.folder}&user=postgres"

    def sql(self, database, *commands):
        flags = [f for command in commands for f in ("-c", command)]
        done = subprocess.run([self.bin / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", *flags, self.url(database)],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{'; '.join(commands)}: {done.stderr}")
        return done.stdout.strip()

    def empty(self, database):
        self.sql("postgres", f"drop database if exists {database} with (force)", f"create database {database}")

    def stop(self):
        try:
            os.kill(int((self.data / "postmaster.pid").read_text().split()[0]), signal.SIGINT)  # fast shutdown
        except (OSError, ValueError, IndexError):
            self.process.terminate()
        self.process.wait()
