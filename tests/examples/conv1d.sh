"$MOONTILE" ../../lua/examples/conv1d.lua small
