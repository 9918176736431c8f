# resources.py: importlib.resources over folders.
import importlib
import pathlib


def files(package):
    module = importlib.import_module(package) if isinstance(package, str) else package
    return pathlib.Path(module.__file__).parent
