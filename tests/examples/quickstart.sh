"$MOONTILE" ../../lua/examples/quickstart.lua small
