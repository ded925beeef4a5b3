"""Where temporary files are. Tests write and remove tens of thousands of small ones, at which file
systems on disks take more time than many of the tests."""

import os
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes: several times what a run of all tests has at once
AVAILABLE = 6 << 30  # bytes of memory, for these files and for the tests


def has_room(folder, meminfo):
    """Whether files may be made there, and programs among them run."""
    if not os.access(folder, os.W_OK | os.X_OK):
        return False
    system = os.statvfs(folder)
    available = next((int(line.split()[1]) << 10 for line in meminfo.splitlines()
                      if line.startswith("MemAvailable:")), 0)
    return (system.f_bavail * system.f_frsize >= ROOM and available >= AVAILABLE
            and not system.f_flag & os.ST_NOEXEC)


def keep_in_memory():
    """TMPDIR becomes a folder in memory if there is room, unless it is set."""
    if "TMPDIR" not in os.environ and has_room(MEMORY, Path("/proc/meminfo").read_text()):
        os.environ["TMPDIR"] = str(MEMORY)
