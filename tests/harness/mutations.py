"""Pieces of texts and of binary data deleted, doubled, swapped or replaced at random."""

import re

# A word or number, a line's end with its indentation, blanks, or one other character.
TOKEN = re.compile(rb"[A-Za-z_0-9]+|\n[ \t]*|[ \t]+|.", re.S)


def changed_bytes(rng, data):
    """With some bytes flipped, inserted or deleted, or an end cut off."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(6)
        if kind == 0:
            data[at:at] = rng.randbytes(rng.choice((1, 4, 40)))
        elif kind == 1:
            del data[at:at + rng.choice((1, 4, 100))]
        elif kind == 2:
            data[at:at + 1] = bytes([rng.choice((0, 1, 0x7f, 0x80, 0xff))])
        elif kind == 3:
            data[at:at + 4] = rng.choice((b"\xff\xff\xff\xff", b"\0\0\0\x80", b"\0\0\0\0", b"\xff\xff\xff\x7f"))
        elif at < len(data):
            data[at] ^= 1 << rng.randrange(8)
    if rng.randrange(16) == 0:
        del data[rng.randrange(len(data) + 1):]
    return bytes(data)


def spliced_lines(rng, data, other):
    """With lines deleted, doubled, moved, or taken from another text."""
    lines, more = data.splitlines(True) or [b""], other.splitlines(True) or [b""]
    for _ in range(rng.choice((1, 1, 2, 3))):
        at, length = rng.randrange(len(lines) + 1), rng.choice((1, 1, 2, 5))
        kind = rng.randrange(4)
        if kind == 0:
            del lines[at:at + length]
        elif kind == 1:
            lines[at:at] = lines[at:at + length]
        elif kind == 2:
            first = rng.randrange(len(more))
            lines[at:at] = more[first:first + length]
        else:
            piece = lines[at:at + length]
            del lines[at:at + length]
            place = rng.randrange(len(lines) + 1)
            lines[place:place] = piece
    return b"".join(lines)


def changed_tokens(rng, data, other):
    """With tokens deleted, doubled, swapped, or replaced by some of this or of another text."""
    tokens, more = TOKEN.findall(data) or [b""], TOKEN.findall(other) or [b""]
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, to = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        kind = rng.randrange(7)
        if kind == 0:
            tokens[at] = b""
        elif kind == 1:
            tokens[at] += tokens[at]
        elif kind == 2:
            tokens[at], tokens[to] = tokens[to], tokens[at]
        elif kind == 3:
            tokens[at] = tokens[to]
        elif kind == 4:
            tokens[at] = rng.choice(more)
        elif kind == 5:
            tokens[at] += rng.choice(more)
        else:
            tokens[at] = rng.choice((b"0", b"-1", b"2147483648", b"18446744073709551616", b"1e400", b"None", b"x" * 300,
                                     b"(" * 200, b"-" * 200, "é".encode(), b"\0", b"\xff", b"\\\n", b"\"\"\"", b"'", b"@"))
    return b"".join(tokens)


def mutant_of(rng, data, other):
    """A mutant of a text; `other` is one of the same kind."""
    kind = rng.randrange(8)
    if kind == 0:
        return changed_bytes(rng, data)
    return spliced_lines(rng, data, other) if kind < 3 else changed_tokens(rng, data, other)
