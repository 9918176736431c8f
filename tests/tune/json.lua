-- JSON, read back.
local json = require "moontile.tl.json"
local function try(s)
  local v, e = json.decode(s)
  print(s, v == nil and "nil" or json.encode(v), e or "")
end
for _, s in ipairs {'{"a": [1, 2.5, -3e2, "x\\n\\u4e2d\\ud83d\\ude00"], "b": {"c": true, "d": null}}',
  " [ ] ", "{}", "12", "-0.5", "1e3", "false", '"\\"\\\\\\/"', "null"} do
  try(s)
end
for _, s in ipairs {"", "[1,", '{"a" 1}', '{a: 1}', '"abc', '"\\q"', '"\\ud800x"', "[1] x", "tru", "-",
  "[1 2]", ("["):rep(200)} do
  try(s)
end
