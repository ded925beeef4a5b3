"""Images in PNG as arrays of NumPy, written in every form that the format has (W3C's specification,
third edition). A reference for tests: the commands use libpng."""

import struct
import zlib

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, RGB, PALETTE, GRAY_ALPHA, RGB_ALPHA = 0, 2, 3, 4, 6
CHANNELS = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGB_ALPHA: 4}
# Adam7: first row and column, and the steps between them, of each pass.
PASSES = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def predict(kind, a, b, c):
    """Of the filter: from the bytes to the left, above, and above to the left."""
    a, b, c = int(a), int(b), int(c)
    if kind == 4:
        return min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
    return (0, a, b, (a + b) // 2)[kind]


def scanlines(samples, depth, filters):
    """The bytes of an image of (height, width, channels), each row with its filter's number."""
    height, width, channels = samples.shape
    if not width or not height:
        return b""
    if depth == 16:
        rows = samples.astype(">u2").reshape(height, -1).view(np.uint8)
    elif depth == 8:
        rows = samples.astype(np.uint8).reshape(height, -1)
    else:
        bits = (samples.reshape(height, -1, 1) >> np.arange(depth - 1, -1, -1)) & 1
        rows = np.packbits(bits.reshape(height, -1).astype(np.uint8), axis=1)
    step = max(1, depth * channels // 8)
    above, out = [0] * rows.shape[1], bytearray()
    for y, row in enumerate(rows.tolist()):
        kind = filters[y % len(filters)]
        out.append(kind)
        for x, value in enumerate(row):
            left, corner = (row[x - step], above[x - step]) if x >= step else (0, 0)
            out.append((value - predict(kind, left, above[x], corner)) & 255)
        above = row
    return bytes(out)


def encode(samples, color, depth, interlaced=False, filters=(0, 1, 2, 3, 4), before=b"", size=None):
    """A file of samples (height, width, channels); `before`: chunks before the pixels; `size`:
    the width and the height that it says to have."""
    height, width, channels = samples.shape
    assert channels == CHANNELS[color]
    if interlaced:
        pixels = b"".join(scanlines(samples[y::dy, x::dx], depth, filters) for y, x, dy, dx in PASSES)
    else:
        pixels = scanlines(samples, depth, filters)
    head = struct.pack(">IIBBBBB", *(size or (width, height)), depth, color, 0, 0, interlaced)
    return SIGNATURE + chunk(b"IHDR", head) + before + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


def decode(data):
    """The array of a file of 8 or 16 bits that is not interlaced, and has no palette."""
    assert data.startswith(SIGNATURE)
    at, packed, head = len(SIGNATURE), b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert data[at:at + 12 + length] == chunk(kind, body), kind
        head = struct.unpack(">IIBBBBB", body) if kind == b"IHDR" else head
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    assert kind == b"IEND"
    width, height, depth, color, _, _, interlaced = head
    channels = CHANNELS[color]
    assert depth in (8, 16) and color != PALETTE and not interlaced
    step = depth // 8 * channels
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * step)
    above, rows = [0] * (width * step), []
    for kind, *line in lines.tolist():
        for x, value in enumerate(line):
            left, corner = (line[x - step], above[x - step]) if x >= step else (0, 0)
            line[x] = (value + predict(kind, left, above[x], corner)) & 255
        above = line
        rows.append(line)
    pixels = np.array(rows, np.uint8).view(">u2" if depth == 16 else np.uint8)
    shape = (height, width) if channels == 1 else (height, width, channels)
    return pixels.reshape(shape).astype(np.uint16 if depth == 16 else np.uint8)
