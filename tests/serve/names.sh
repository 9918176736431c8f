# Names of strangers: in IR text they may be anything, and they stand in comments and texts of
# the program that is printed from it and compiled.  No name gets out of there.
cat >"$TMP/test.ir" <<'IR'
kernel 'NAME'(A)
  buffer A: global int32[64]
  alloc 'NAME_W': global int32[64]
  launch bx in 1 threads 32 do
    alloc 'NAME_T': shared int32[64]
    for i in parallel(64) do
      'NAME_T'[i] = A[i]
    end
    copy 'NAME_T'[0:+64] -> 'NAME_W'[0:+64]
    copy 'NAME_W'[0:+64] -> 'NAME_T'[0:+64]
    for i in serial(64) do
      A[i] = 'NAME_T'[A[i]]
    end
  end
end
IR
# each ends a comment, a line or a text in its own way, and then leaves a file
cat >"$TMP/names" <<'NAMES'
x", 1), system("touch TMP/out"), at(rt, 0, 1, "y
*/ int system(const char *); __attribute__((constructor)) static void f(void) { system("touch TMP/out"); } /*
x\\
x\n#include "/etc/passwd"\n
x\\n", system("touch TMP/out"), "
x??/
%s%n%s%n
NAMES
sed -i "s#TMP#$TMP#g" "$TMP/names"
# texts NAME: the program with that name everywhere, as sed takes it
texts() { sed "s/NAME/$(printf '%s' "$1" | sed 's/[&\\/]/\\&/g')/g" "$TMP/test.ir"; }
cat >"$TMP/print.lua" <<'LUA'
local text = io.open(arg[1]):read "a"
-- What of a source is neither comment nor text.
local function code(s)
  local out, at = {}, 1
  while at <= #s do
    local _, e = s:find("^//[^\n]*", at)
    if not e then _, e = s:find("^/%*.-%*/", at) end
    if not e and s:sub(at, at) == '"' then
      e = at + 1
      while s:sub(e, e) ~= '"' do
        e = e + (s:sub(e, e) == "\\" and 2 or 1)
      end
    end
    if not e then out[#out + 1] = s:sub(at, at) end
    at = (e or at) + 1
  end
  return table.concat(out)
end
for _, t in ipairs {"cpu -threads=1", "cuda -build -arch=sm_80", "hip -build -arch=gfx942", "maca -build"} do
  local k = tl.from_ir((text:gsub("NAME", function() return arg[2] end)), {target = t})
  local source = k:get_kernel_source()
  if code(source):find "system%s*%(" or code(source):find "#%s*include" or source:find "\\%s*\n" then
    print(t, source)
  end
  if t:find "cpu" then
    k(tl.zeros({64}, "int32"))
  end
end
print "printed"
LUA
echo "--- printed and run here"
while read -r name; do
  "$MOONTILE" --lang en "$TMP/print.lua" "$TMP/test.ir" "$name" >"$TMP/printed" 2>"$TMP/notes" || cat "$TMP/notes"
  head -n 3 "$TMP/printed"
done <"$TMP/names"
[ ! -e "$TMP/out" ] || echo "a name was run"
echo "--- sent to a server"
. ./lib/serve.sh
start
open
while read -r name; do
  texts "$name" >"$TMP/one.ir"
  r POST $S/kernels --data-binary "@$TMP/one.ir"
done <"$TMP/names"
[ ! -e "$TMP/out" ] || echo "a name was run"
echo "--- and as the kernel's name in the address"
r POST "$S/kernels?name=%22%29%3Bsystem%28%22touch%20x" --data-binary "@$TMP/add.ir"
r POST "$S/kernels?name=a%0ab" --data-binary "@$TMP/add.ir"
echo "--- C of one's own"
sed 's/NAME//g; s/^  launch.*/&\n    import_source "#include \\"\/etc\/passwd\\""/' "$TMP/test.ir" >"$TMP/own.ir"
sed "s/'_W'/W/g; s/'_T'/S/g; s/''/k/g" "$TMP/own.ir" >"$TMP/own2.ir"
r POST $S/kernels --data-binary "@$TMP/own2.ir"
stop
