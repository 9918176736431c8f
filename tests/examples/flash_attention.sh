"$MOONTILE" ../../lua/examples/flash_attention.lua small
