# Products of the library at the sizes of large models: each block of the grid that stays
# makes up to 54 tiles, and writes all of them.  Their text must not cost the
# compiler a round of its work for each of these tiles: two of them took a gigabyte.
cat >"$TMP/large.lua" <<'END'
local gemm = require "moontile.ops.gemm"
for _, s in ipairs {{4096, 4096, 4096}, {8192, 28672, 4096}, {16384, 16384, 16384}} do
  local k = gemm.kernel(s[1], s[2], s[3], "bfloat16", {trans_b = true, out_dtype = "bfloat16"})
  print(("%dx%dx%d"):format(s[1], s[2], s[3]), k.name)
end
END
"$MOONTILE" -t "cuda -arch=sm_90a -sms=132 -shared=232448 -card=H200" "$TMP/large.lua"
