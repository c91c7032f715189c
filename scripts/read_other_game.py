"""What read_table.py needs for tables of Nam Nam and Bao, which have a simpler middle. Written from
the end of src/guide/file_format.md."""
import struct
import numpy as np, zstandard

def ways(places, seeds):
    """All ways to put seeds into places, in lexicographic order."""
    if places == 1: yield (seeds,)
    else: yield from ((n, *rest) for n in range(seeds + 1) for rest in ways(places - 1, seeds - n))

def positions(file):
    """Every position of a table of Nam Nam or Bao in rank order, with its score."""
    half, seeds, planes = file[37:40]
    count, size = struct.unpack_from("<QI", file, 48)
    directory, length = struct.unpack_from("<QQ", file, len(file) - 48)
    boards = (board for _ in iter(int, 1) for board in ways(2 * half, seeds))
    for first, entry in enumerate(struct.iter_unpack("<QII", file[directory:directory + length])):
        part = file[entry[0]:entry[0] + entry[1]]
        raw = zstandard.ZstdDecompressor().stream_reader(part).read()
        here = min(size, count - first * size)
        low = np.frombuffer(raw, np.int8, here)
        high = np.frombuffer(raw, np.int8, here, (planes - 1) * here)
        yield from zip((next(boards) for _ in range(here)), zip(low, high))
