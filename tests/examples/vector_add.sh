"$MOONTILE" ../../lua/examples/vector_add.lua small
