"""Write python.txt and numpy.txt: the public names of CPython 3.11 and NumPy 2.4, one `MODULE NAME` a line.

    python record.py          in this folder, with CPython 3.11 and NumPy
"""
import importlib
import inspect
import types

MODULES = """
builtins math cmath random itertools functools collections collections.abc operator string re json csv os os.path pathlib
shutil glob tempfile io sys time datetime timeit copy contextlib dataclasses enum typing types abc numbers textwrap pprint
bisect heapq statistics fractions decimal struct array hashlib base64 binascii zlib gzip zipfile uuid argparse logging
warnings traceback inspect weakref gc atexit signal threading queue subprocess pickle platform getpass unittest
urllib.parse fnmatch calendar secrets codecs unicodedata concurrent.futures
""".split()
BUILTIN_TYPES = [int, float, complex, bool, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice,
                 memoryview, type, object, property, BaseException, OSError, StopIteration, ImportError, UnicodeDecodeError]
CLASSES = {  # classes of modules whose methods count as names too
    "collections": ["deque", "Counter", "defaultdict", "OrderedDict", "ChainMap"],
    "datetime": ["date", "datetime", "time", "timedelta", "timezone"],
    "pathlib": ["Path", "PurePath"], "random": ["Random"], "fractions": ["Fraction"], "decimal": ["Decimal"],
    "argparse": ["ArgumentParser"], "io": ["StringIO", "BytesIO", "TextIOWrapper"], "re": ["Pattern", "Match"],
    "logging": ["Logger", "Handler", "Formatter"], "struct": ["Struct"], "threading": ["Thread", "Event", "Condition"],
    "queue": ["Queue"], "unittest": ["TestCase"], "statistics": ["NormalDist"], "string": ["Template", "Formatter"],
    "contextlib": ["ExitStack"], "inspect": ["Signature", "Parameter"], "traceback": ["TracebackException"],
}
NUMPY_MODULES = ["numpy", "numpy.linalg", "numpy.random", "numpy.fft", "numpy.testing"]
NUMPY_CLASSES = {"numpy": ["ndarray", "dtype", "float32", "generic"], "numpy.random": ["Generator", "RandomState"]}


def public(module):
    names = getattr(module, "__all__", None)
    if names is None:
        names = [n for n in dir(module) if not isinstance(getattr(module, n), types.ModuleType)]
    return sorted(n for n in set(names) if not n.startswith("_"))


def methods(cls, base=object):
    names = {n for n in dir(cls) if not n.startswith("_")}
    names |= {n for n in vars(cls) if n.startswith("__") and inspect.isroutine(getattr(cls, n, None))} - {
        "__getnewargs__", "__getstate__", "__setstate__", "__reduce__", "__reduce_ex__", "__subclasshook__", "__sizeof__",
        "__getnewargs_ex__", "__del__", "__buffer__", "__release_buffer__", "__array_prepare__", "__array_struct__"}
    return sorted(names)


def write(path, modules, classes):
    with open(path, "w") as f:
        for name in modules:
            module = importlib.import_module(name)
            for n in public(module):
                print(name, n, file=f)
            for cls in classes.get(name, []):
                for m in methods(getattr(module, cls)):
                    print(name, f"{cls}.{m}", file=f)


import numpy

write("python.txt", MODULES, {**CLASSES, "builtins": [c.__name__ for c in BUILTIN_TYPES]})
write("numpy.txt", NUMPY_MODULES, NUMPY_CLASSES)
