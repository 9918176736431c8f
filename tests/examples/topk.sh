"$MOONTILE" ../../lua/examples/topk.lua small
