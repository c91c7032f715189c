#!/usr/bin/env python3
"""Prints a layer: read_table.py DIR SHEET SEEDS. Every position in rank order, on a line of its
own: the places of the board, the mover's first, low, high. Written from src/guide/file_format.md
alone, with zstandard and numpy; it reads the layers below, too, for what captures bring."""
import struct, sys
from bisect import bisect
from functools import lru_cache
import numpy as np, zstandard

GROUP, PER_BYTE, NUMBERS = 32, (8, 4, 3, 2, 2), (2, 4, 6, 16, 16)
WEIGHTS = ((23, 36, 11, 8, 14), (17, 14, 8, 14), (15, 10, 8), (15, 15), (18,))

@lru_cache(None)
def rows(seeds, houses=6):
    """All rows with so many seeds, in lexicographic order."""
    if houses == 1: return [(seeds,)]
    return [(n,) + rest for n in range(seeds + 1) for rest in rows(seeds - n, houses - 1)]

def home_moves(row):
    for house, seeds in enumerate(row[:5]):
        if 0 < seeds <= 5 - house:
            passed = range(house + 1, house + seeds + 1)
            after = [n + (at in passed) for at, n in enumerate(row)]
            yield (*after[:house], 0, *after[house + 1:]), WEIGHTS[house][seeds - 1]

@lru_cache(None)
def groups(seeds):
    """The half-boards with so many seeds by group; each with reference and home moves."""
    ties = {row: [] for row in rows(seeds)}
    for row, after, weight in ((row, *move) for row in rows(seeds) for move in home_moves(row)):
        ties[row].append((after, weight))
        ties[after].append((row, weight))
    free, found, total = set(ties), [], {row: sum(w for _, w in ties[row]) for row in ties}
    while free:
        group, gains = [], {}
        while free and len(group) < GROUP:
            worth = lambda row: (9 * gains[row] - total[row], row)
            row = max(gains, key=worth) if gains else max(free)
            gains.pop(row, None)
            free.remove(row)
            group.append(row)
            for other, weight in ((other, weight) for other, weight in ties[row] if other in free):
                gains[other] = gains.get(other, 0) + weight
        group.sort()
        references, homes = [], []
        for at, row in enumerate(group):
            distance = lambda before: sum(abs(np.cumsum(np.subtract(group[before], row))))
            references.append(min(reversed(range(at)), key=distance, default=-1))
            homes.append([group.index(after) for after, _ in home_moves(row) if after in group])
        found.append((group, references, homes))
    return found

@lru_cache(None)
def gains(house, seeds, returns):
    """What each house gets of a sowing, which returns to its origin or not; where the last seed goes."""
    way = [at % 12 for at in range(house + 1, house + 60)]
    way = [at for at in way if at != house or returns][:seeds]
    return [way.count(at) for at in range(12)], way[-1]

def sow(rules, own, other, house):
    """The ring after a sowing, and where the last seed went."""
    gained, last = gains(house, own[house], rules["origin"] == 2)
    ring = [n + gain for n, gain in zip(own + other, gained)]
    ring[house] -= own[house]
    return ring, last

def moves(rules, own, other):
    """Legal moves: seeds captured, the next mover's row, the opponent's."""
    found = []
    for house in (house for house in range(6) if own[house]):
        ring, at = sow(rules, own, other, house)
        if not any(other) and rules["feeding"] == 1 and not any(ring[6:]): continue
        after = list(ring)
        while at >= 6 and ring[at] in (2, 3):
            after[at if rules["harvest"] == 1 else 11 - at] = 0
            at -= 1
        if rules["slam"] == 1 and not any(after[6:]): after = ring
        found.append((sum(ring) - sum(after), tuple(after[6:]), tuple(after[:6])))
    generous = [move for move in found if any(move[1])]
    return generous if rules["slam"] == 3 and generous else found

def hits(row):
    """With how many seeds a sowing into a row makes the house of its last seed two or three."""
    places = ((house, n, lap) for house, n in enumerate(row) for lap in range(3))
    return {6 * lap + house + 1 for house, n, lap in places if n + lap + 1 in (2, 3)}

def reach(rules, row):
    """How many seeds sowings of a row bring into the other, of those that end there."""
    ends = [sow(rules, row, (0,) * 6, house) for house in range(6) if row[house]]
    return {sum(ring[6:]) for ring, at in ends if at >= 6}

class Table:
    def __init__(self, path):
        self.file = file = open(path, "rb").read()
        assert file[:10] == b"\x89OWR\r\n\x1a\n\x01\0" and file[-8:] == b"OWARE.ok", path
        self.rules = dict(zip(("origin", "slam", "feeding", "harvest"), file[28:32]))
        self.all_rows, self.n, self.planes = file[33] == 2, file[34], file[35]
        cells, length = struct.unpack_from("<II", file, 48)
        beyond = file[38] - self.n + 1
        self.end = beyond + (file[32] > 1 and (beyond + self.n) % 2) if file[38] else self.n
        model = self.unpack(104, length)[8 * (6 + 2 * self.n):]
        self.letters = letters = model[0]
        values = struct.iter_unpack("bB", model[1:1 + 2 * letters])
        self.values = [(low, low + spread) for low, spread in values]
        self.signs = {value: sign for sign, value in enumerate(self.values)}
        at, contexts = 2 + 2 * letters, 64 * (letters + 2) ** 2
        self.contexts, at = model[at:at + contexts], at + contexts
        self.streams = model[at::letters + 1]
        self.ranked = [model[place + 1:][:letters] for place in range(at, len(model), letters + 1)]
        self.stored, (directory,) = {}, struct.unpack_from("<Q", file, len(file) - 48)
        raw = self.unpack(104 + length, *struct.unpack_from("<Q", file, 64)) or bytes(8)
        settled = struct.iter_unpack("<Qbb", raw[8:8 + 10 * int.from_bytes(raw[:8], "little")])
        self.settled = {rank: bounds for rank, *bounds in settled}
        self.entries = struct.iter_unpack("<QII", file[directory:-48])
        for larger in range((self.n + 1) // 2, self.n + 1):
            smaller = self.n - larger
            tiles = [(r, c) for r, c in np.ndindex(len(groups(smaller)), len(groups(larger)))
                     if larger != smaller or r <= c]
            together = max(1, cells // (len(groups(smaller)[0][0]) * len(groups(larger)[0][0])))
            for first in range(0, len(tiles), together):
                self.frame(smaller, larger, tiles[first:first + together])
    def unpack(self, offset, length):
        part, reader = self.file[offset:offset + length], zstandard.ZstdDecompressor()
        return reader.stream_reader(part, read_across_frames=True).read()
    def frame(self, smaller, larger, tiles):
        offset, length, _ = next(self.entries)
        raw = np.frombuffer(self.unpack(offset, length), np.uint8)
        low, high = raw[:10 * len(tiles)].astype(int).reshape(2, 5, len(tiles))
        bounded, counts = high[0] < 128, low + 256 * high
        counts[0], counts[4] = counts[0] % 32768, 0
        ways = [self.positions(smaller, larger, *tile) for tile in tiles]
        counts[4] = [len(way) for way in ways] - counts.sum(0)
        at, streams = 10 * len(tiles), []
        for stream, count in enumerate(counts.sum(1)):
            size = -(-count // PER_BYTE[stream])
            places = [NUMBERS[stream] ** place for place in range(PER_BYTE[stream])]
            numbers = raw[at:at + size, None] // np.array(places) % NUMBERS[stream]
            streams.append(iter(numbers.ravel().tolist()))
            at += size
        escapes = iter(raw[at:].tolist())
        for (r, c), way, is_bounded in zip(tiles, ways, bounded & (smaller > 0)):
            self.tile(groups(smaller)[r], groups(larger)[c], way, is_bounded, streams, escapes)
    def positions(self, smaller, larger, r, c):
        """Row, column and side of the positions of a tile, in the order of decoding."""
        over, under = groups(larger)[c][0], groups(smaller)[r][0]
        half = larger == smaller and r == c
        held = lambda row: self.all_rows or 0 in row
        way = np.ndindex(len(under), 2, len(over))
        return [(i, j, 1 - turn) for i, turn, j in way
                if held((over[j], under[i])[turn]) and (not half or i < j + turn)]
    def tile(self, rows_, columns, way, is_bounded, streams, escapes):
        here, exact, edge = {}, {}, self.letters + 1
        reached = [[reach(self.rules, row) for row in half[0]] for half in (rows_, columns)]
        hit = [[hits(row) for row in half[0]] for half in (rows_, columns)]
        for i, j, side in way:
            near = here.get((i, columns[1][j], side)), here.get((rows_[1][i], j, side))
            signs = [self.signs.get(value, self.letters) if value else edge for value in near]
            larger, smaller = bool(reached[1][j] & hit[0][i]), bool(reached[0][i] & hit[1][j])
            flags = (2 * larger + smaller, 2 * smaller + larger)[side]
            homes = [(i, home, 1) for home in columns[2][j]]
            homes = [(home, j, 0) for home in rows_[2][i]] if side else homes
            children = [here[home] for home in homes if is_bounded and exact.get(home)]
            step = 7
            if children:
                cl, ch = (max(-value[bound] for value in children) for bound in (1, 0))
                near = [self.values[sign][0] + self.end for sign in signs if sign < self.letters]
                step = bisect((-3, -1, 0, 1, 2, 4), cl + self.end - sum(near) // 2)
            context = ((4 * side + flags) * (edge + 1) + signs[0]) * (edge + 1) + signs[1]
            kind = self.contexts[context * 8 + step]
            rank = next(streams[self.streams[kind]])
            if rank == NUMBERS[self.streams[kind]] - 1: rank += next(escapes)
            if rank == self.letters:
                low, spread = struct.unpack("bB", bytes([next(escapes), next(escapes)]))
                high = low + spread
            else: low, high = self.values[self.ranked[kind][rank]]
            if children: low, high = max(low, cl), max(high, ch)
            here[i, j, side] = low, (max(low, high) if self.planes == 2 else low)
            exact[i, j, side] = flags < 2
            pair = columns[0][j], rows_[0][i]
            self.stored[pair[::-1] if side else pair] = here[i, j, side]
    def clamp(self, score): return max(-self.end, min(self.end, score))
    def known(self, board, low, high):
        """What the clamped bounds of a board say; of a finished game all is known."""
        if not moves(self.rules, board[:6], board[6:]): return (sum(board[:6]) - sum(board[6:]),) * 2
        return -self.n if low == -self.end else low, self.n if high == self.end else high
    def scores(self, below):
        """Every position in rank order with its score, given the scores of the layers below."""
        blocks = ((own, other) for own in range(self.n + 1) for other in rows(self.n - own))
        boards = ((own, other, mover) for own, other in blocks if self.all_rows or 0 in other
                  for mover in rows(own))
        for rank, (own, other, mover) in enumerate(boards):
            legal = moves(self.rules, mover, other)
            found = [self.stored[mover, other] if legal else (self.clamp(own - sum(other)),) * 2]
            for captured, *child in (move for move in legal if move[0]):
                low, high = score(self.rules, below, *child)
                found.append((self.clamp(captured - high), self.clamp(captured - low)))
            yield mover + other, tuple(self.settled.get(rank) or map(max, zip(*found)))

def score(rules, layers, own, other):
    known = layers[sum(own + other)].get(own + other)
    if known is None:  # outside the domain: every child is in it
        legal = moves(rules, own, other)
        found = [(captured, score(rules, layers, *child)) for captured, *child in legal]
        known = max(c - high for c, (_, high) in found), max(c - low for c, (low, _) in found)
    return known

table, seeds, layers = "/".join(sys.argv[1:3]), int(sys.argv[3]), []
whole = open(f"{table}-{seeds:02}.oware", "rb").read()
if whole[8:10] == b"\x01\x01":
    from read_other_game import positions
    layers = [dict(positions(whole))]
else:
    for n in range(seeds + 1):
        last = Table(f"{table}-{n:02}.oware")
        layers.append(dict(last.scores(layers)))
    layers[-1] = {board: last.known(board, *bounds) for board, bounds in layers[-1].items()}
for board, bounds in layers[-1].items(): print(*board, *bounds)
