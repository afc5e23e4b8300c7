# Runs the programs on standard input (a JSON list) one after the other, each in a fresh
# __main__, and writes what each did: {"Out": what it printed, "End": its traceback}.
import contextlib, io, json, linecache, os, signal, sys, traceback, types, warnings

warnings.simplefilter("ignore", SyntaxWarning)

name = os.path.join(os.getcwd(), sys.argv[1])
programs = json.load(sys.stdin)


class TooLong(BaseException):
    pass


def alarm(*_):
    raise TooLong()


signal.signal(signal.SIGALRM, alarm)
start = set(sys.modules)


def run(src):
    with open(name, "w", encoding="utf-8", errors="surrogatepass") as f:
        f.write(src)
    linecache.clearcache()
    main = types.ModuleType("__main__")
    main.__file__ = name
    kept, sys.modules["__main__"] = sys.modules["__main__"], main
    sys.argv = [name]
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="strict", newline="\n")
    end = ""
    signal.alarm(10)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(src, name, "exec"), main.__dict__)
    except TooLong:
        end = "too long"
    except SystemExit as e:
        end = f"the script exited with status {e.code}"
    except BaseException as e:
        e.__traceback__ = e.__traceback__.tb_next
        end = "".join(traceback.format_exception(e))
    signal.alarm(0)
    sys.modules["__main__"] = kept
    main.__dict__.clear()
    out.flush()
    return {"Out": out.buffer.getvalue().decode("utf-8", "replace"), "End": end}


results = []
for p in programs:
    results.append(run(p))
json.dump(results, sys.__stdout__)
