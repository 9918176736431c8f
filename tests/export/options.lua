-- What an export does not know is refused by its name, before anything is written.
local scale = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, "float32")
  local B = T.empty({N}, "float32")
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do
    for i in T.Parallel(64) do
      B[bx * 64 + i] = A[bx * 64 + i] * 2
    end
  end
  return B
end)
local k = scale:compile {N = 64}
local dir = os.tmpname()
os.remove(dir)

local function try(what, name, ...)
  local ok, e = pcall(k[name], k, ...)
  print(what, ok and "taken" or ("%s: %s (%s)"):format(e.code, e.message, e.label))
  local f = io.open(dir)
  if f then
    f:close()
    print(what, "wrote something")
    os.remove(dir)
  end
end

try("an option", "export", dir, {format = "cu"})
try("two", "export", dir, {main = true, host = true, all = true})
try("a known one again", "export", dir, {dir = "x"})
try("and another", "export", dir, {dir = "x", main = true})
try("a number", "export", dir, {"cu"})
try("a near one", "export", dir, {dri = dir})
try("a position", "export", dir, "cu")
try("nil", "export", dir, nil)
try("an empty table", "export", dir, {})
try("no folder", "export")
try("a table", "export", {dir = dir})
try("a table, an option", "export", {dir = dir, cubin = true})
for _, name in ipairs {"export_sources", "export_ptx", "export_sass"} do
  try(name .. ", an option", name, dir, {host = true})
  try(name .. ", a host", name, dir, "host.c")
  try(name .. ", a table", name, {path = dir, host_path = "h.c"})
end
try("TileLang's", "export_sources", {kernel_path = dir, host_path = "h.c"})
try("a near one", "export_sources", {kernel_paht = dir})
try("two", "export_sources", {kernel_path = dir, main = 1, host_path = "h.c"})
try("both", "export_sources", {kernel_path = dir}, {host_path = "h.c"})
try("no path", "export_sources", {})
try("right", "export_sources", {kernel_path = dir})
