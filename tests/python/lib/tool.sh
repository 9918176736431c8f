# The program that reads Python for these tests: $READER, which `make test T=python` builds.
READER=$(dirname "$MOONTILE")/tests/unit/python_ast
[ -x "$READER" ] || { echo "make test T=python builds tests/unit/python_ast"; exit 77; }
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
