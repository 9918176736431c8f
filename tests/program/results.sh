# What results look like.
"$MOONTILE" -i 2>&1 <<'X'
nil
nil, nil
"text"
"two\nlines"
1.5, 2, true
{}
{1, 2, 3}
{a = 1, b = "two", [3] = 3.5, ["not a name"] = {}, [true] = false}
{1, {2, {3, {4, {5}}}}}
{"quoted \"text\"\n\0\27"}
local t = {}; t.self = t; t.other = {t}
t
local many = {}; for i = 1, 100 do many[i] = i end
many
local long = {}; for i = 1, 12 do long[i] = ("word"):rep(3) end
long
setmetatable({}, {__tostring = function() return "an object" end})
setmetatable({}, {__name = "a.kind"}) == nil
{setmetatable({}, {__tostring = function() error "no" end})} == nil
setmetatable({}, {__index = function() error "must not be called" end})
{setmetatable({1}, {__len = function() return 9 end, __pairs = error})}
5;
local s = 6;
s;
;
   
-- a comment
return 7
return
print("printed") 
X
