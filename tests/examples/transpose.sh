"$MOONTILE" ../../lua/examples/transpose.lua small
