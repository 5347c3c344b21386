"""Starts and stops `husk serve` on a free port, for tests and benchmarks."""
import re
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HUSK = ROOT / "target" / "release" / "husk"


class Serving:
    """A server on loopback that logs to a file."""

    def __init__(self, husk, log, *arguments, environment=None):
        command = [str(husk), "serve", "--port", "0", "--no-cache", "--delay", "0", *arguments]
        self.log = open(log, "wb")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, env=environment)
        said = self.process.stdout.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        if not found:
            self.process.wait()
            raise SystemExit(f"husk serve did not start: see {log}")
        self.port = int(found[1])
        self.address = f"http://127.0.0.1:{self.port}"

    def peak_memory(self):
        """Peak memory in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1000

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def end(self, seconds=90):
        """Stops the server; returns its exit status."""
        if self.process.poll() is None:
            self.terminate()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise SystemExit(f"husk serve did not exit within {seconds} s")
        finally:
            self.log.close()
