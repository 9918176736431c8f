"$MOONTILE" ../../lua/examples/layernorm.lua small
