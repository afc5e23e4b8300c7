"""Records how NumPy and TensorFlow print arrays: python record.py DIR.

arrays.txt   a line "== dtype shape hex k=v…", then str, "--", repr
scalars.txt  dtype hex <tab> str <tab> repr <tab> repr of item()
tfprint.txt  a line "== dtype shape hex summarize", then what tf.print prints
"""
import sys, json, random
import numpy as np
import tensorflow as tf
import ml_dtypes

out = sys.argv[1]
rng = np.random.default_rng(7)
BF = ml_dtypes.bfloat16
names = {'float16': np.float16, 'float32': np.float32, 'float64': np.float64, 'bfloat16': BF, 'bool': np.bool_,
         'complex64': np.complex64, 'complex128': np.complex128}
for n in 'int8 int16 int32 int64 uint8 uint16 uint32 uint64'.split():
    names[n] = np.dtype(n).type


def hexof(a):
    if a.dtype == object:
        return json.dumps([x.decode('latin1') for x in a.ravel()])
    return np.ascontiguousarray(a).tobytes().hex() or '-'


def shapeof(a):
    return ','.join(map(str, a.shape)) or '-'


def dt(a):
    return 'string' if a.dtype == object else a.dtype.name


shapes = [(1,), (2,), (3,), (5,), (7,), (20,), (2, 2), (3, 4), (2, 9), (2, 3, 2), (1, 1), (2, 1, 2), (40,), (0,), (2, 0), (0, 3), ()]


def floats(t, shape):
    n = int(np.prod(shape))
    k = rng.integers(0, 10)
    if k == 0: v = rng.integers(-5, 100, n).astype(float)
    elif k == 1: v = rng.normal(size=n)
    elif k == 2: v = rng.normal(size=n) * 10.0 ** rng.integers(-3, 4)
    elif k == 3: v = rng.normal(size=n) * 10.0 ** rng.integers(-12, 13, n)
    elif k == 4: v = np.round(rng.normal(size=n), 2)
    elif k == 5: v = rng.choice([0., -0., 1., np.nan, np.inf, -np.inf, 2.5, -1.25], n)
    elif k == 6: v = rng.integers(0, 3, n) * 0.1
    elif k == 7: v = rng.normal(size=n) * 1e5
    elif k == 8: v = rng.integers(-9, 9, n) * 10.0 ** rng.integers(0, 8)
    else: v = rng.choice([1e-4, 1e-5, 999.5, 1000., 1001., 99999999., 1e8, 123456., 1e6, 0.5, np.nan], n)
    with np.errstate(all='ignore'):
        return v.astype(t).reshape(shape)


def make(name, shape):
    t = names.get(name)
    n = int(np.prod(shape))
    with np.errstate(all='ignore'):
        if name == 'string':
            pool = [b'a', b'', b'hello world', b"it's", b'q"\'', b'\xff\x00\n', 'é'.encode(), b'tab\t\\']
            a = np.empty(n, object)
            for i in range(n): a[i] = pool[rng.integers(len(pool))]
            return a.reshape(shape)
        if name == 'bool': return (rng.integers(0, 2, n) == 1).reshape(shape)
        if name.startswith('complex'):
            f = np.float32 if name == 'complex64' else np.float64
            a = np.empty(shape, t)
            a.real, a.imag = floats(f, shape), floats(f, shape)
            return a
        if 'int' in name:
            ii = np.iinfo(t)
            k = rng.integers(0, 3)
            if k == 0: return rng.integers(max(ii.min, -9), 10, n).astype(t).reshape(shape)
            if k == 1: return rng.integers(ii.min, ii.max, n, dtype=t, endpoint=True).reshape(shape)
            return rng.integers(max(ii.min, -120), min(ii.max, 30000), n).astype(t).reshape(shape)
        return floats(t, shape)


rows = []


def record(a, **opt):
    with np.printoptions(**opt):
        o = ' '.join(f'{k}={v}' for k, v in opt.items())
        rows.append(f'== {dt(a)} {shapeof(a)} {hexof(a)} {o}'.rstrip() + '\n' + str(a) + '\n--\n' + repr(a) + '\n')


weights = ['float32'] * 6 + ['float64'] * 4 + ['float16'] * 3 + ['bfloat16'] * 2 + ['complex64', 'complex128', 'bool', 'string'] * 2 + \
    ['int8', 'int16', 'int32', 'int32', 'int64', 'int64', 'uint8', 'uint16', 'uint32', 'uint64']
for i in range(420):
    record(make(weights[i % len(weights)], shapes[rng.integers(len(shapes))]))
optsets = [dict(precision=3), dict(precision=0), dict(precision=2, suppress=True), dict(suppress=True), dict(linewidth=40), dict(linewidth=20),
           dict(threshold=5, edgeitems=2), dict(threshold=5, edgeitems=1), dict(sign='+'), dict(sign=' '), dict(floatmode='fixed', precision=4),
           dict(floatmode='unique'), dict(floatmode='maxprec_equal'), dict(precision=17), dict(nanstr='NA', infstr='oo'), dict(threshold=0),
           dict(floatmode='fixed', precision=2, suppress=True), dict(floatmode='maxprec', precision=5), dict(threshold=3, linewidth=30)]
for i in range(320):
    record(make(weights[(i * 7 + i // 34) % len(weights)], shapes[rng.integers(len(shapes))]), **optsets[i % len(optsets)])
for t in ['float32', 'float64', 'int32', 'int64', 'float16', 'bool']:
    record(make(t, (40, 30)), edgeitems=int(rng.integers(1, 4)))
record(np.arange(1001)), record(np.arange(1001, dtype=np.int32)), record(np.arange(1001, dtype=np.float32)), record(np.arange(1000))
record(np.arange(2000, dtype=np.int16).reshape(2, 500, 2)), record(np.arange(1100, dtype=np.float16).reshape(11, 10, 10)), record(np.zeros((7, 7, 7, 7), np.int8))
record(make('bfloat16', (1100,))), record(make('complex64', (1100,))), record(np.zeros((0, 2000))), record(np.zeros((2000, 0)))
open(out + '/arrays.txt', 'w').write(''.join(rows))

rows = []
for name, t in names.items():
    if name in ('bool',): continue
    for i in range(60 if 'float' in name else 25 if 'complex' in name else 6):
        x = make(name, (1,))[0]
        rows.append('\t'.join([name + ' ' + np.asarray(x).tobytes().hex(), str(x), repr(x), repr(x.item())]))
for name, v in [('float32', [0.1, 1e-4, 1e-5, 123456.79, 999999., 1e6, 16777216., 3.4e38, 1e-45, -0., 0.]), ('float64', [1e15, 1e16, 123456789012345678., 1e-4, 9.9e-5, 5e-324, -0.]),
                ('float16', [999., 1000., 65504., 6e-8, 1e-4, 0.1]), ('complex64', [1 + 2j, -0.5j, 2j, 1e10 + 1e-10j, complex('nan'), complex(float('inf'), -1), -0.0 + 0j, 1e6 + 0.1j, complex(-0.0, 1)]),
                ('complex128', [1 + 2j, -0.5j, 2j, 1e20 + 1e-10j, complex(float('nan'), float('inf')), complex(0., -0.), complex(-1, float('-inf'))])]:
    for q in v:
        x = names[name](q)
        rows.append('\t'.join([name + ' ' + np.asarray(x).tobytes().hex(), str(x), repr(x), repr(x.item())]))
open(out + '/scalars.txt', 'w').write('\n'.join(rows) + '\n')

import hashlib
halves = np.arange(65536, dtype=np.uint16).view(np.float16)
text = '\n'.join(str(h) for h in halves if not np.isnan(h))
open(out + '/halves.txt', 'w').write(hashlib.sha256(text.encode()).hexdigest() + '\n')

rows = []


def tfprint(a, n=3):
    if a.shape == () and a.dtype == object: return  # alone it prints bare
    t = tf.constant(a, tf.string) if a.dtype == object else tf.constant(a)
    tf.print(t, summarize=n, output_stream='file://' + out + '/one.tmp')
    s = open(out + '/one.tmp', errors='surrogateescape').read()
    open(out + '/one.tmp', 'w').close()
    rows.append(f'== {dt(a)} {shapeof(a)} {hexof(a)} {n}\n' + s)


for i in range(200):
    tfprint(make(weights[i % len(weights)], shapes[rng.integers(len(shapes))]), [3, 3, 2, 1, -1][i % 5])
tfprint(np.arange(10)), tfprint(np.arange(7)), tfprint(np.arange(6)), tfprint(np.arange(81).reshape(9, 9)), tfprint(np.arange(512, dtype=np.int16).reshape(8, 8, 8))
for s in [(0,), (2, 0), (0, 2), (3, 0), (2, 2, 0), (2, 0, 2), (8, 0)]: tfprint(np.zeros(s, np.float32)), tfprint(np.zeros(s, np.float32), -1)
import os
os.remove(out + '/one.tmp')
open(out + '/tfprint.txt', 'w', errors='surrogateescape').write(''.join(rows))
