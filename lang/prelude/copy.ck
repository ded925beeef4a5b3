# Copies by the threads of a group. What goes from global to shared memory in pieces of 4, 8 or 16 bytes is
# asynchronous, where the device can; everything else is loaded and stored. Offsets are in bytes.


# What two arrays both have of a dimension.
def _common(dst, src, i):
    return min(dst.shape[i], src.shape[i])


# Which pieces of which rows a thread copies: first piece, step, first row, step. Where a row has fewer pieces
# than the group threads, a power of two of them take a row each.
def _share(pieces, rows, rank, size):
    if rows == 1 or pieces >= size:
        return rank, size, 0, 1
    bits = 64 - clz(max(pieces, 1) - 1)
    width = 1 << bits
    if width > size:
        return rank, size, 0, 1
    row = rank >> bits
    step = size >> bits
    return rank & (width - 1), width, row if row < step else rows, step


# The place in dimension `i`, which is the last of those that number the rows, of row `r`: the row in those
# before it, and what the place adds to the offsets in both arrays.
def _axis_offsets(dst, src, i, r, to, from_):
    extent = uint64(_common(dst, src, i))
    index = int64(r % extent)
    return r // extent, to + index * dst.strides[i], from_ + index * src.strides[i]


# Where row `row` begins in both. Rows are counted in C order over the dimensions before the last.
def _row_offsets(dst, src, row):
    last = dst.ndim - 1
    r = uint64(row)
    to = int64(0)
    from_ = int64(0)
    if last > 6:
        r, to, from_ = _axis_offsets(dst, src, 6, r, to, from_)
    if last > 5:
        r, to, from_ = _axis_offsets(dst, src, 5, r, to, from_)
    if last > 4:
        r, to, from_ = _axis_offsets(dst, src, 4, r, to, from_)
    if last > 3:
        r, to, from_ = _axis_offsets(dst, src, 3, r, to, from_)
    if last > 2:
        r, to, from_ = _axis_offsets(dst, src, 2, r, to, from_)
    if last > 1:
        r, to, from_ = _axis_offsets(dst, src, 1, r, to, from_)
    if last > 0:
        to += int64(r) * dst.strides[0]
        from_ += int64(r) * src.strides[0]
    return to, from_


# Rows of `n` elements, one by one.
def _copy_elements(dst, src, n, rows, rank, size):
    last = dst.ndim - 1
    first, step, row, row_step = _share(n, rows, rank, size)
    for r in range(row, rows, row_step):
        to, from_ = _row_offsets(dst, src, r)
        for i in range(first, n, step):
            _copy_bytes(dst, to + i * dst.strides[last], src, from_ + i * src.strides[last], dst.itemsize)


# Rows of so many bytes without gaps, in pieces of `piece` bytes that begin at multiples of it, in both arrays
# alike; elements one by one where a row begins or ends inside a piece.
def _copy_pieces(dst, src, n_bytes, rows, rank, size, piece):
    begin = _address(dst)
    if rows == 1 and (begin | n_bytes) & (piece - 1) == 0:
        for i in range(rank * piece, n_bytes, size * piece):
            _copy_bytes(dst, i, src, i, piece)
        return
    pieces = ((begin & (piece - 1)) + n_bytes + (piece - 1)) // piece
    first, step, row, row_step = _share(pieces, rows, rank, size)
    for r in range(row, rows, row_step):
        to, from_ = _row_offsets(dst, src, r)
        for i in range(first * piece - ((begin + to) & (piece - 1)), n_bytes, step * piece):
            if i >= 0 and i + piece <= n_bytes:
                _copy_bytes(dst, to + i, src, from_ + i, piece)
            else:
                for k in range(max(i, 0), min(i + piece, n_bytes), dst.itemsize):
                    _copy_bytes(dst, to + k, src, from_ + k, dst.itemsize)


# With dimension `i`: how many rows there are, whether they follow one another without gaps, and, in the
# lowest bits, how the arrays' rows differ in alignment.
def _axis(dst, src, i, rows, whole, skew):
    below = _common(dst, src, i + 1)
    whole = whole and dst.strides[i] == below * dst.strides[i + 1] and src.strides[i] == below * src.strides[i + 1]
    return rows * _common(dst, src, i), whole, skew | (dst.strides[i] - src.strides[i])


def _copy_rows(dst, src, n, rows, skew, rank, size):
    item = dst.itemsize
    if item < 16 and skew & 15 == 0:
        _copy_pieces(dst, src, n * item, rows, rank, size, 16)
    elif item < 8 and skew & 7 == 0:
        _copy_pieces(dst, src, n * item, rows, rank, size, 8)
    elif item < 4 and skew & 3 == 0:
        _copy_pieces(dst, src, n * item, rows, rank, size, 4)
    else:
        _copy_elements(dst, src, n, rows, rank, size)


def _copy(dst, src, rank, size):
    last = dst.ndim - 1
    n = _common(dst, src, last)
    skew = _address(dst) - _address(src)
    dense = dst.strides[last] == dst.itemsize and src.strides[last] == dst.itemsize
    if last == 0:
        if dense:
            _copy_rows(dst, src, n, 1, skew, rank, size)
        else:
            _copy_elements(dst, src, n, 1, rank, size)
        return
    rows = int64(1)
    whole = dense
    row_skew = skew
    if last > 0:
        rows, whole, row_skew = _axis(dst, src, 0, rows, whole, row_skew)
    if last > 1:
        rows, whole, row_skew = _axis(dst, src, 1, rows, whole, row_skew)
    if last > 2:
        rows, whole, row_skew = _axis(dst, src, 2, rows, whole, row_skew)
    if last > 3:
        rows, whole, row_skew = _axis(dst, src, 3, rows, whole, row_skew)
    if last > 4:
        rows, whole, row_skew = _axis(dst, src, 4, rows, whole, row_skew)
    if last > 5:
        rows, whole, row_skew = _axis(dst, src, 5, rows, whole, row_skew)
    if last > 6:
        rows, whole, row_skew = _axis(dst, src, 6, rows, whole, row_skew)
    if whole:
        _copy_rows(dst, src, n * rows, 1, skew, rank, size)
    elif dense:
        _copy_rows(dst, src, n, rows, row_skew, rank, size)
    else:
        _copy_elements(dst, src, n, rows, rank, size)


# One call is one of the copies that wait_prior counts.
def _memcpy_async(dst, src, rank, size):
    if dst.ndim > 1 and _is_fortran(dst) and _is_fortran(src):
        _copy(dst.T, src.T, rank, size)
    else:
        _copy(dst, src, rank, size)
    _copy_commit()


def _wait_prior(g, n):
    _copy_wait(n)
    g.sync()


def thread_block_memcpy_async(g, dst, src):
    _memcpy_async(dst, src, g.thread_rank(), g.num_threads())


def thread_block_wait(g):
    _wait_prior(g, 0)


def thread_block_wait_prior(g, n):
    _wait_prior(g, n)


# A block's last tile may lack threads.
def _tile_memcpy_async(g, dst, src):
    block = this_thread_block()
    rank = g.thread_rank()
    left = block.num_threads() - (block.thread_rank() - rank)
    _memcpy_async(dst, src, rank, min(_tile_size(g), left))


def tile_memcpy_async(g, dst, src):
    _tile_memcpy_async(g, dst, src)


def tile_wait(g):
    _wait_prior(g, 0)


def tile_wait_prior(g, n):
    _wait_prior(g, n)


def coalesced_group_memcpy_async(g, dst, src):
    _memcpy_async(dst, src, g.thread_rank(), g.num_threads())


def coalesced_group_wait(g):
    _wait_prior(g, 0)


def coalesced_group_wait_prior(g, n):
    _wait_prior(g, n)


def part_memcpy_async(g, dst, src):
    _memcpy_async(dst, src, g.thread_rank(), g.num_threads())


def part_wait(g):
    _wait_prior(g, 0)


def part_wait_prior(g, n):
    _wait_prior(g, n)


def wide_tile_memcpy_async(g, dst, src):
    _tile_memcpy_async(g, dst, src)


def wide_tile_wait(g):
    _wait_prior(g, 0)


def wide_tile_wait_prior(g, n):
    _wait_prior(g, n)
