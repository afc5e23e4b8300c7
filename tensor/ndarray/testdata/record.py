"""Records what NumPy's functions give: python record.py > calls.txt

A line is: function | arguments | result. An array is dtype:shape:hex of its bytes, a
Python number i5, f2.5; an error is !Class text.
"""
import warnings
import numpy as np

warnings.simplefilter('ignore')
np.seterr(all='ignore')
rng = np.random.default_rng(3)
types = 'bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128'.split()


def text(a):
    if isinstance(a, (bool, np.bool_)) or isinstance(a, np.generic) or isinstance(a, np.ndarray):
        a = np.asarray(a)
        if a.ndim > 1 and a.size > 1 and a.flags.f_contiguous and not a.flags.c_contiguous: return text(a.T) + ':T'  # transposed
        if a.ndim and a.size > 1 and a.strides[0] < 0: return text(a[::-1].copy()) + ':R'  # reversed
        return f"{a.dtype.name}:{','.join(map(str, a.shape))}:{np.ascontiguousarray(a).tobytes().hex()}"
    if isinstance(a, int): return f'i{a}'
    if isinstance(a, float): return f'f{a!r}'
    if isinstance(a, tuple): return '(' + ';'.join(text(x) for x in a) + ')'
    return str(a)


def make(t, shape):
    if t == 'bool': return rng.integers(0, 2, shape) == 1
    if t.startswith('complex'): return (rng.normal(size=shape).round(2) + 1j * rng.normal(size=shape).round(2)).astype(t)
    if t.startswith('float'):
        a = (rng.normal(size=shape) * 10.0 ** rng.integers(-1, 2)).astype(t)
        if rng.random() < 0.3 and a.size: a.ravel()[rng.integers(a.size)] = rng.choice([0, np.nan, np.inf, -0., 1, 2])
        return a
    ii = np.iinfo(t)
    return rng.integers(max(ii.min, -20), 20, shape).astype(t)


def row(name, f, *args):
    try:
        r = text(f(*args))
    except Exception as e:
        r = f'!{type(e).__name__.lstrip("_")} {e}'
    print(name, '|', ' '.join(text(a) for a in args), '|', r)


pairs = [((3,), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (4,)), ((2, 2), ()), ((0,), (0,)), ((1,), (5,)), ((2, 3, 2), (3, 1))]
for u in 'add subtract multiply divide floor_divide remainder power maximum minimum fmax fmin equal less greater_equal logical_and bitwise_and bitwise_xor left_shift right_shift arctan2 hypot fmod gcd copysign'.split():
    f = getattr(np, u)
    for k in range(12):
        a, b = pairs[rng.integers(len(pairs))]
        x, y = make(types[rng.integers(14)], a), make(types[rng.integers(14)], b)
        if ('shift' in u or u == 'power') and y.dtype.kind in 'iu': y = np.abs(y) % np.array(7, y.dtype)
        row(u, f, x, y)
    for k in range(8):
        x = make(types[rng.integers(14)], pairs[k][0])
        row(u, f, x, [3, 2.5, 0, 300, 1][k % 5])
        if u != 'power': row(u, f, [3, 2.5, 7, -1][k % 4], x)
    row(u, f, np.ones(2), np.ones(3))
for u in 'negative positive absolute sign square reciprocal sqrt exp log log2 log10 log1p expm1 sin cos tan tanh arctan floor ceil trunc rint isnan isfinite isinf invert logical_not conjugate cbrt signbit deg2rad'.split():
    for t in types: row(u, getattr(np, u), make(t, pairs[rng.integers(len(pairs))][0]))
for u in 'sum prod max min mean std var any all argmax argmin cumsum cumprod median'.split():
    f = getattr(np, u)
    for k in range(14):
        shape = [(5,), (2, 3), (3, 2, 4), (150,), (10, 13), (0,), (1,), (7, 3)][k % 8]
        x = make(types[rng.integers(12 if u == 'median' else 14)], shape)
        if u == 'prod' or u == 'cumprod': x = x.clip(0, 2) if x.dtype.kind in 'iu' else x
        if k % 3 == 1 and x.ndim > 1: x = x.T
        if k % 3 == 2: x = x[::-1]
        row(u, f, x)
        ax = int(rng.integers(-x.ndim, x.ndim))
        print(end='axis=%d ' % ax)
        row(u, lambda a: f(a, axis=ax), x)
for u in 'sort argsort unique'.split():
    for t in types[:12]:
        x = make(t, (9,))
        row(u, (lambda a: np.argsort(a, kind='stable')) if u == 'argsort' else getattr(np, u), x)
for a, b in [((2, 3), (3, 2)), ((3,), (3,)), ((2, 2, 3), (3, 4)), ((3,), (3, 2)), ((4, 3), (3,)), ((2, 3), (2, 3)), ((2, 1, 2, 3), (2, 3, 1)), ((3,), ()), ((0, 3), (3, 2)), ((2, 0), (0, 3))]:
    for t in ['float64', 'float32', 'int64', 'bool', 'uint8', 'float16', 'complex128']:
        row('matmul', np.matmul, make(t, a).round(1) if t != 'bool' else make(t, a), make(t, b).round(1) if t != 'bool' else make(t, b))
        if t == 'int64': row('dot', np.dot, make(t, a), make(t, b))
for t in types:
    for s in types: row('astype=' + s, lambda a: a.astype(s), make(t, (4,)))
for sp, shapes in [('ij,jk->ik', [(2, 3), (3, 4)]), ('ii', [(3, 3)]), ('ii->i', [(3, 3)]), ('ij->ji', [(2, 3)]), ('ij->', [(2, 3)]), ('i,j->ij', [(2,), (3,)]), ('bij,bjk->bik', [(2, 1, 3), (2, 3, 2)]),
                   ('...i->...', [(2, 3, 4)]), ('ij,jk', [(2, 2), (2, 2)]), ('i,i', [(3,), (3,)]), ('ij,ij->i', [(2, 3), (2, 3)]), ('i,ij,j', [(2,), (2, 3), (3,)]), ('...ij,...jk->...ik', [(2, 2, 3), (3, 2)]), ('bhqd,bhkd->bhqk', [(2, 2, 3, 4), (2, 2, 5, 4)]),
                   ('ijk,ilm->jklm', [(2, 3, 1), (2, 2, 2)]), ('ba', [(2, 3)])]:
    row('einsum=' + sp, lambda *a: np.einsum(sp, *a), *[make('int64', s) for s in shapes])
