# Copies by the threads of a group. Copies from global to shared memory in pieces of 4, 8 or 16
# bytes are asynchronous if the device supports it; all others are loads and stores. Offsets are in
# bytes.


# The extent that both arrays have in a dimension.
def _common(dst, src, i):
    return min(dst.shape[i], src.shape[i])


# The pieces and rows that a thread copies: first piece, step, first row, step. If a row has fewer
# pieces than the group has threads, a power of two of threads shares each row.
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


# For row number `r` and dimension `i`, the last one counted in it: the row number in the dimensions
# before, and the offsets in both arrays with this dimension's added.
def _axis_offsets(dst, src, i, r, to, from_):
    extent = uint64(_common(dst, src, i))
    index = int64(r % extent)
    return r // extent, to + index * dst.strides[i], from_ + index * src.strides[i]


# The offsets of row `row` in both arrays. Rows are numbered in C order over the dimensions before
# the last.
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


# Copies rows of `n` elements one by one.
def _copy_elements(dst, src, n, rows, rank, size):
    last = dst.ndim - 1
    first, step, row, row_step = _share(n, rows, rank, size)
    while row < rows:
        to, from_ = _row_offsets(dst, src, row)
        i = first
        while i < n:
            _copy_bytes(dst, to + i * dst.strides[last], src, from_ + i * src.strides[last], dst.itemsize)
            i += step
        row += row_step


# Copies the bytes from `at` to `end`, relative to the offsets `to` and `from_`, in pieces of
# `piece` bytes; `i` is the first piece to copy.
def _copy_run(dst, to, src, from_, at, end, i, step, piece):
    at += i * _type_of(at)(piece)
    while at < end:
        _copy_bytes(dst, to + at, src, from_ + at, piece)
        at += step * _type_of(at)(piece)


# The logarithm of the largest piece for which both arrays have the same alignment.
def _piece_bits(dst, skew):
    if dst.itemsize < 16 and skew & 15 == 0:
        return 4
    if dst.itemsize < 8 and skew & 7 == 0:
        return 3
    if dst.itemsize < 4 and skew & 3 == 0:
        return 2
    return 63 - clz(dst.itemsize)


# Copies a contiguous row of `n_bytes` bytes in such pieces, and the bytes before the first and
# after the last piece by elements. All numbers have one type.
def _copy_row(dst, to, src, from_, n_bytes, i, step, bits):
    width = _type_of(n_bytes)(1 << bits)
    first = min(-(_type_of(n_bytes)(_address(dst)) + to) & (width - 1), n_bytes)
    last = first + ((n_bytes - first) & -width)
    _copy_run(dst, to, src, from_, _type_of(n_bytes)(0), first, i, step, dst.itemsize)
    if dst.itemsize < 16 and bits == 4:
        _copy_run(dst, to, src, from_, first, last, i, step, 16)
    elif dst.itemsize < 8 and bits == 3:
        _copy_run(dst, to, src, from_, first, last, i, step, 8)
    elif dst.itemsize < 4 and bits == 2:
        _copy_run(dst, to, src, from_, first, last, i, step, 4)
    else:
        _copy_run(dst, to, src, from_, first, last, i, step, dst.itemsize)
    _copy_run(dst, to, src, from_, last, n_bytes, i, step, dst.itemsize)


# Adds dimension `i`: the number of rows, whether they are contiguous, and, in the lowest bits, how
# the alignment of the two arrays' rows differs.
def _axis(dst, src, i, rows, whole, skew):
    below = _common(dst, src, i + 1)
    whole = whole and dst.strides[i] == below * dst.strides[i + 1] and src.strides[i] == below * src.strides[i + 1]
    return rows * _common(dst, src, i), whole, skew | (dst.strides[i] - src.strides[i])


def _copy_rows(dst, src, n, rows, skew, rank, size):
    bits = _piece_bits(dst, skew)
    n_bytes = n * dst.itemsize
    first, step, row, row_step = _share((n_bytes + ((1 << bits) - 1)) >> bits, rows, rank, size)
    while row < rows:
        to, from_ = _row_offsets(dst, src, row)
        _copy_row(dst, to, src, from_, n_bytes, first, step, bits)
        row += row_step


def _copy_any(dst, src, rank, size):
    last = dst.ndim - 1
    n = _common(dst, src, last)
    skew = _address(dst) - _address(src)
    dense = dst.strides[last] == dst.itemsize and src.strides[last] == dst.itemsize
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


# One dimension, `n` elements; less than 2 ** 31 bytes.
@outlined
def _copy_line(dst, src, n, rank, size):
    if dst.strides[0] == dst.itemsize and src.strides[0] == dst.itemsize:
        n_bytes = n * uint32(dst.itemsize)
        if dst.itemsize < 4:
            bits = _piece_bits(dst, uint32(_address(dst)) - uint32(_address(src)))
            _copy_row(dst, uint32(0), src, uint32(0), n_bytes, rank, size, bits)
        else:
            whole = uint32(0)
            if (_address(dst) | _address(src)) & 15 == 0:
                whole = n_bytes & ~uint32(15)
                _copy_run(dst, uint32(0), src, uint32(0), uint32(0), whole, rank, size, 16)
            _copy_run(dst, uint32(0), src, uint32(0), whole, n_bytes, rank, size, dst.itemsize)
    else:
        while rank < n:
            _copy_bytes(dst, int64(rank) * dst.strides[0], src, int64(rank) * src.strides[0], dst.itemsize)
            rank += size


# Whether src[start:stop] fills `dst`, in pieces of 16 bytes. Usually loop-invariant are the bound
# compared with start and the alignment of the arrays, which is tested apart from start's. If both
# are misaligned and only their sum is aligned, _copy_line copies.
def _is_plain(dst, src, start, stop):
    return ((uint64(start) < uint64(max(src.shape[0] - dst.shape[0] + 1, 0))) & (stop >= start + dst.shape[0])
            & (dst.strides[0] == dst.itemsize) & (src.strides[0] == dst.itemsize) & (dst.nbytes < 1 << 31)
            & ((_address(dst) | _address(src)) & 15 == 0) & ((start * dst.itemsize | dst.nbytes) & 15 == 0))


# One dimension, of any length.
def _copy_lines(dst, src, rank, size):
    most = 1 << 26
    if _is_shared(dst):  # which has fewer bytes
        _copy_line(dst, src, uint32(_common(dst, src, 0)), rank, size)
    else:
        for at in range(0, _common(dst, src, 0), most):
            to = dst[at:at + most]
            from_ = src[at:at + most]
            _copy_line(to, from_, uint32(_common(to, from_, 0)), rank, size)


# Copies src[start:start + len(dst)], which is plain, by `size` threads of a block or another group.
def _copy_plain(dst, src, start, rank, size, by_block):
    n_bytes = uint32(dst.nbytes)
    at = uint32(rank) * uint32(16)
    from_ = start * dst.itemsize
    if at < n_bytes:  # often the whole copy
        _copy_bytes(dst, at, src, from_ + at, 16)
        at += uint32(size) * uint32(16)
        # A block's size is no constant, so the offset is hidden: otherwise LLVM's loop-reduce makes
        # two more counters, of addresses, and computes where they begin in every iteration of a
        # loop around, whether or not there are any further pieces. A tile's loop is unrolled.
        while at < n_bytes:
            offset = _hidden(at) if by_block else at
            _copy_bytes(dst, offset, src, from_ + offset, 16)
            at += uint32(size) * uint32(16)


# Each call is one of the copies that wait_prior counts. Copies src[start:stop], or all of `src` if
# it has several dimensions; by `size` threads, or, if not `full`, by as many as exist.
def _memcpy_async(dst, src, start, stop, rank, size, full, there):
    threads = size if full else there
    if dst.ndim == 1:
        if full & _is_plain(dst, src, start, stop):
            _copy_plain(dst, src, start, rank, size, False)
        else:
            _copy_lines(dst, src[start:stop], uint32(rank), uint32(threads))
    elif _is_fortran(dst) and _is_fortran(src):
        _copy_any(dst.T, src.T, rank, threads)
    else:
        _copy_any(dst, src, rank, threads)
    _copy_commit()


# The source: a slice is clamped only where necessary.
def _copied(src, start, stop):
    if src.ndim == 1:
        return src[start:stop]
    return src


def _copy_by(g, dst, src, start, stop):
    _memcpy_async(dst, src, start, stop, g.thread_rank(), g.num_threads(), True, 0)


# For a tile, size and first thread identify the group.
def _check_of_tile(g, dst, src, start, stop, threads):
    first = this_thread_block().thread_rank() - g.thread_rank()
    _copy_check(_tile_size(g) << 10 | first, threads, dst, _copied(src, start, stop))


def _wait_prior(g, n):
    _copy_wait(n)
    g.sync()


# The copy engine takes plain copies that are long enough.
def thread_block_memcpy_async(g, dst, src, start, stop):
    rank = g.thread_rank()
    size = g.num_threads()
    _copy_check(0, size, dst, _copied(src, start, stop))
    if dst.ndim > 1:
        _copy_by(g, dst, src, start, stop)
        return
    if not _is_plain(dst, src, start, stop):
        _copy_lines(dst, src[start:stop], uint32(rank), uint32(size))
    elif _copy_in_bulk(dst, src, start, uint32(dst.nbytes)):
        return
    else:
        _copy_plain(dst, src, start, rank, size, True)
    _copy_commit()


def thread_block_wait(g):
    _wait_prior(g, 0)


def thread_block_wait_prior(g, n):
    _wait_prior(g, n)


def tile_memcpy_async(g, dst, src, start, stop):
    if _may_have_returned() and _tile_size(g) > 1:
        lanes = _tile_lanes(g)
        there = int64(popc(lanes))
        _check_of_tile(g, dst, src, start, stop, there)
        _memcpy_async(dst, src, start, stop, int64(popc(lanes & lanemask_lt())), _tile_size(g), there == _tile_size(g), there)
        return
    _check_of_tile(g, dst, src, start, stop, _tile_threads(g))
    _memcpy_async(dst, src, start, stop, g.thread_rank(), _tile_size(g), _tiles_are_whole(g), int64(_tile_threads(g)))


def tile_wait(g):
    _wait_prior(g, 0)


def tile_wait_prior(g, n):
    _wait_prior(g, n)


def coalesced_group_memcpy_async(g, dst, src, start, stop):
    warp = this_thread_block().thread_rank() >> 5
    lanes = _coalesced_lanes(g)
    there = int64(popc(lanes))
    _copy_check(1 << 40 | warp << 32 | int64(_item(g, 0)), there, dst, _copied(src, start, stop))
    _memcpy_async(dst, src, start, stop, int64(popc(lanes & lanemask_lt())), there, True, 0)


def coalesced_group_wait(g):
    _wait_prior(g, 0)


def coalesced_group_wait_prior(g, n):
    _wait_prior(g, n)


def part_memcpy_async(g, dst, src, start, stop):
    _copy_by(g, dst, src, start, stop)


def part_wait(g):
    _wait_prior(g, 0)


def part_wait_prior(g, n):
    _wait_prior(g, n)


def wide_tile_memcpy_async(g, dst, src, start, stop):
    _check_of_tile(g, dst, src, start, stop, _wide_threads(g))
    _memcpy_async(dst, src, start, stop, g.thread_rank(), _tile_size(g), _tiles_are_whole(g), _wide_threads(g))


def wide_tile_wait(g):
    _wait_prior(g, 0)


def wide_tile_wait_prior(g, n):
    _wait_prior(g, n)
