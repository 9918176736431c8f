-- A loop of T that no `for` runs, in every form, is the cause of whatever else goes wrong.
local function try(what, body)
  local f = load(([[
    return tl.jit(function(C)
      C: T.Tensor({128}, "int32")
      for bx in T.Kernel(1, {threads = 128}) do
        local tx = T.get_thread_binding()
        %s
        C[tx] = 1
      end
    end)]]):format(body), "=kernel")()
  local ok, err = pcall(f.compile, f)
  io.stderr:write(what, ": ", ok and "no error" or tostring(err):match "[^\n]*", "\n")
end

try("if", "if T.Parallel(4) then end")
try("and", "if tx < 3 and T.ws(0) then C[tx] = 2 end")
try("or", "local x = T.serial(3) or 4")
try("not", "if not T.Pipelined(3) then end")
try("while", "while T.unroll(3) do break end")
try("a statement", "T.ws(0)")
try("an index", "C[T.vectorized(4)] = 2")
try("a sum", "C[tx] = T.grid(2, 2) + 1")
try("an argument", "T.print(T.serial(3))")
try("T.Kernel", "if T.Kernel(3) then end")
try("called", "for i in T.serial(3)() do end")
try("names", "for i, j in T.serial(3) do end")
error("wrong on purpose", 0)
