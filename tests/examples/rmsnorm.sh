"$MOONTILE" ../../lua/examples/rmsnorm.lua small
