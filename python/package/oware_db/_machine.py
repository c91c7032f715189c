"""What this machine and its user allow a build."""

import os
import shutil
from pathlib import Path

# Bytes of memory to count on where the system does not say how much is available.
_ASSUMED = 8_000_000_000


def available_memory() -> int:
    """The bytes of memory that this process can still get: of the system, of the control groups that
    it is in, and under the limit of its address space (`ulimit -v`)."""
    return min([_of_system(), *_of_groups(), *_of_limit()])


def free_disk(directory: "str | os.PathLike[str]") -> int:
    """The bytes that are free in a directory, or where it would be made."""
    path = Path(directory).absolute()
    there = next(place for place in [path, *path.parents] if place.exists())
    return shutil.disk_usage(there).free


def _of_system() -> int:
    for line in _lines("/proc/meminfo"):
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) * 1024
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return _ASSUMED


def _of_groups() -> "list[int]":
    """What each group of ours and each one above it leaves."""
    found = []
    for line in _lines("/proc/self/cgroup"):
        _, kinds, name = line.split(":", 2)
        if kinds == "":
            root, limit, used = "/sys/fs/cgroup", "memory.max", "memory.current"
        elif "memory" in kinds.split(","):
            root, limit, used = (
                "/sys/fs/cgroup/memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
            )
        else:
            continue
        group = Path(root, name.lstrip("/"))
        for place in [group, *group.parents]:
            bound = _number(place / limit)
            if place.is_relative_to(root) and bound is not None:
                found.append(max(bound - _held(place, used), 0))
    return found


def _held(group: Path, used: str) -> int:
    """What a group holds, without files that the system would let go of."""
    files = [line.split() for line in _lines(group / "memory.stat")]
    idle = sum(int(count) for name, count in files if name == "inactive_file")
    return max((_number(group / used) or 0) - idle, 0)


def _of_limit() -> "list[int]":
    try:
        import resource
    except ImportError:  # Windows
        return []
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return []
    pages = next(iter(_lines("/proc/self/statm")), "0").split()[0]
    return [max(limit - int(pages) * resource.getpagesize(), 0)]


def _number(path: Path) -> "int | None":
    text = next(iter(_lines(path)), "")
    return int(text) if text.strip().isdigit() else None


def _lines(path: "str | Path") -> "list[str]":
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []
