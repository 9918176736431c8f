-- help/topics_start.lua: pages for the first hour: what to type, the language.
-- {name, en = title, zh = title, text = {en =, zh =}, [example =, see =]}

return {
  {"start", en = "First steps", zh = "第一步",
    text = {
      en = [[
1. `:load quickstart` runs a first matrix product and compares it with a reference.
2. `?T.gemm` explains a name, `?f` one of yours; `??f` shows its source and its program.
3. Type a kernel as below.  An incomplete input continues on the next line; an empty
line does not end it, `end` does.
4. `f(x)` makes the kernel for these sizes, runs it and prints the result; `_` is the last
result, `_3` the result of input 3.
5. `k = f.last`, then `k:check()`, `k:explain()`, `plot(k)`, `k:bench()`.
6. `:tour` walks through all of this.]],
      zh = [[
1. `:load quickstart` 运行第一个矩阵乘法，并与参考结果比较。
2. `?T.gemm` 解释一个名称，`?f` 解释您自己的函数；`??f` 显示其源代码与程序。
3. 照下面的例子输入一个内核。未完成的输入在下一行继续；空行不会结束输入，`end` 才会。
4. `f(x)` 按这些尺寸生成内核、运行并打印结果；`_` 是上一个结果，`_3` 是第 3 次输入的结果。
5. `k = f.last`，然后试试 `k:check()`、`k:explain()`、`plot(k)`、`k:bench()`。
6. `:tour` 会带您走一遍。]],
    },
    example = [[
f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    for i in T.Parallel(64) do
      B[bx * 64 + i] = A[bx * 64 + i] * 2
    end
  end
  return B
end)
f(tl.arange(10, "float32"))]], see = {"kernels", "language", "examples", ":tour"}},

  {"lua", en = "Lua for Python and C programmers", zh = "给懂 Python 或 C 的人：Lua",
    text = {
      en = [[
  for i = 0, n - 1 do .. end          both ends are included; no colon, no braces
  for i in T.Parallel(n) do .. end    0 to n - 1
  if a < b then .. elseif a == b then .. else .. end
  while a ~= b do .. end              ~= is "not equal"
  local x = 3                         a new name; without `local` it is global
  -- a comment                        // is division rounded down
  and  or  not  true  false  nil      as words; nil is None
  f = function(x, y) return x + y end
  f(x, {threads = 128})               named arguments: a table as the last argument
  {10, 20}   {name = 1}               tables are lists and dictionaries
  t[1]                                plain Lua tables start at 1
  A[0], A[i, j]                       tensors start at 0

Indentation has no meaning; `end` closes a block.  No semicolons are needed at line ends.]],
      zh = [[
  for i = 0, n - 1 do .. end          两端都包含在内；没有冒号，没有花括号
  for i in T.Parallel(n) do .. end    从 0 到 n - 1
  if a < b then .. elseif a == b then .. else .. end
  while a ~= b do .. end              ~= 表示“不等于”
  local x = 3                         新名字；不写 `local` 就是全局的
  -- 注释                             // 是向下取整的除法
  and  or  not  true  false  nil      逻辑运算用单词；nil 相当于 None
  f = function(x, y) return x + y end
  f(x, {threads = 128})               具名参数：放在最后的表里
  {10, 20}   {name = 1}               表既是列表也是字典
  t[1]                                普通的表从 1 数起
  A[0], A[i, j]                       张量从 0 数起

缩进没有意义，块以 `end` 结束。每行一条语句时不需要分号。]],
    },
    example = [[
s = 0
for i = 0, 3 do
  if i ~= 2 then s = s + i end
end
print(s)]], see = {"language", "indexing", "kernels"}},

  {"language", en = "The language: Lua and a little more", zh = "语言：Lua 加少许扩展",
    text = {
      en = [[
Any Lua 5.4 program means what it means in Lua.  Added everywhere:

  A[i, j]            several indices            A[{i, j}] in plain Lua
  A[lo:hi, :]        slices, hi not included    A[{T.slice(lo, hi), ..}]
  x += e             also -= *= /= //= %= &= |= <<= >>=
  A: T.Tensor(..)    the type of a parameter    A = T.annotate(A, T.Tensor(..))

Inside functions given to tl.jit, T.prim_func and T.macro, `if`, `while`, comparisons,
`and`, `or`, `not` and `for` work on values that exist only when the kernel runs.  Conditions
that are known at compile time fold away.

A local that is assigned in such a loop or branch must be a T.alloc_var; otherwise it is an error
that names it.  Using an unset name in a kernel is an error that suggests a similar name.]],
      zh = [[
任何 Lua 5.4 程序的含义都不变。处处可用的扩展：

  A[i, j]            多个下标                普通 Lua 写作 A[{i, j}]
  A[lo:hi, :]        切片，不含 hi           A[{T.slice(lo, hi), ..}]
  x += e             以及 -= *= /= //= %= &= |= <<= >>=
  A: T.Tensor(..)    参数的类型              A = T.annotate(A, T.Tensor(..))

在交给 tl.jit、T.prim_func 与 T.macro 的函数中，`if`、`while`、比较、`and`、`or`、`not` 与 `for`
可用于内核运行时才有的值。生成内核时已知的条件会直接化简。

在这样的循环或分支中赋值的局部变量必须用 T.alloc_var 声明，否则会报错并指出变量名。内核中使用
从未设置的名称也是错误，并给出相近的名称。]],
    },
    example = "x = tl.randn {4, 8}\nx[0:2, 3] = 1.5\nn = 1   n += 2\nprint(x[1, 3], n)",
    see = {"indexing", "calls", "T.alloc_var", "T.macro"}},

  {"calls", en = "Arguments by position and by name", zh = "按位置与按名称给出参数",
    text = {
      en = [[
Signatures are written as in TileLang: `T.gemm(A, B, C, transpose_A=False, ..)`.  Arguments with
a default may be given by name, in a last table: {transpose_B = true}.  Those after a
`*` can be given by name only.  `*blocks` takes any number of arguments.

True, False and None are true, false and nil in Lua.  A misspelled name is an error that
suggests a similar one.  While a call is open, Tab offers the names with their defaults.

A call with one table or one string needs no parentheses: tl.randn {4, 8}, tl.set_target 'cpu'.]],
      zh = [[
函数形式按 TileLang 的写法：`T.gemm(A, B, C, transpose_A=False, ..)`。有默认值的参数可在最后
一个表中按名称给出：{transpose_B = true}。`*` 之后的参数只能按名称给出。`*blocks` 可接受任意
多个参数。

True、False、None 在 Lua 中为 true、false、nil。参数名拼错会报错并给出相近的名称。调用未写完时，
Tab 键列出参数名与默认值。

参数只有一个表或一个字符串时可省略括号：tl.randn {4, 8}、tl.set_target 'cpu'。]],
    },
    example = "c = tl.gemm(a, b, {trans_b = true})", see = {"T.gemm", "keys", "language"}},

  {"indexing", en = "Shapes, indices, slices", zh = "形状、下标与切片",
    text = {
      en = [[
Everything that TileLang counts from 0 is counted from 0 here: elements, dimensions, axes,
blocks, threads.  Lua's own tables count from 1, as always: t.shape[1] is the first extent.

Tensors and buffers: A[i, j] is an element, A[2] a row, A[1:3, :] a view of rows 1 and 2.
Negative indices of tensors count from the end.  Shapes are tables, {M, N}, or a number.

In a kernel, where an operation needs a tile, an element stands for the tile that begins there:
T.copy(A[by * 32, 0], As).  An index or tile that lies below 0 whatever its loops' variables are
counts from the end.  Any other one outside a tensor, also where only the blocks or a condition make
it negative, does not: reads give 0, writes are dropped.]],
      zh = [[
TileLang 计数的一切都从 0 数起：元素、维、轴、块、线程。Lua 的表仍从 1 数起：t.shape[1] 是
第一维的大小。

张量与缓冲区：A[i, j] 为元素，A[2] 为一行，A[1:3, :] 为第 1、2 行的视图。张量的负下标从末尾数起。
形状写作表 {M, N}，或一个数。

在内核中，需要分块之处给出元素时，表示从该元素开始的分块：T.copy(A[by * 32, 0], As)。
无论循环变量取何值都在 0 之前的下标或分块从末尾数起。张量之外的其他下标则不然，包括只因块或条件
才为负的：读作 0，写入被丢弃。]],
    },
    example = "print(t[1, 2], t[-1].shape[1], t[0:2, 1:3].shape[2])",
    see = {"T.copy", "tensor:item", "language"}},

  {"dtypes", en = "dtypes: types of elements", zh = "dtype：元素的类型",
    text = {
      en = [[
A dtype is its name: T.float16 is the string "float16".

  bool   int4 int8 int16 int32 int64   uint4 uint8 uint16 uint32 uint64
  float16 bfloat16 float32 float64   tfloat32   float8_e4m3fn float8_e5m2

Short: T.half, float, double, short, int, uint, long.  T.float16(x), T.cast(x, d) and
x:astype(d) convert; so does a store.  Two dtypes in one operation give the wider one, floats
over integers; a Lua number takes the dtype of the other side.

float8 and tfloat32 are for matrix products: other arithmetic is done in float32.]],
      zh = [[
dtype 就是它的名称：T.float16 即字符串 "float16"。

  bool   int4 int8 int16 int32 int64   uint4 uint8 uint16 uint32 uint64
  float16 bfloat16 float32 float64   tfloat32   float8_e4m3fn float8_e5m2

简写：T.half、float、double、short、int、uint、long。T.float16(x)、T.cast(x, d)、x:astype(d) 用于
转换，存储时也会自动转换。一次运算中有两种 dtype 时取较宽者，浮点优先于整数；Lua 的数取另一侧的
dtype。

float8 与 tfloat32 用于矩阵乘法，其他运算以 float32 进行。]],
    },
    example = "print(tl.randn({2, 2}, 'bfloat16'):to('float32').dtype)",
    see = {"T.cast", "T.reinterpret", "tensor:to"}},

  {"examples", en = "Examples", zh = "示例",
    text = function(lang)
      local names = require("moontile.help.files").examples
      local list = "  " .. table.concat(names, "  ")
      local out, line = {}, ""
      for name in list:gmatch "%S+" do
        if #line + #name > 70 then
          out[#out + 1], line = line, ""
        end
        line = line .. "  " .. name
      end
      out[#out + 1] = line
      local first = lang == "zh" and
        "程序自带的示例，用 `:load 名称` 运行，源文件在 lua/examples：" or
        "Programs that come with moontile, in lua/examples; `:load NAME` runs one:"
      local second = lang == "zh" and "各名称说明中的示例以此为前提：" or
        "The examples on the pages of names start from this:"
      local code = require "moontile.help.prelude"
      return first .. "\n\n" .. table.concat(out, "\n") .. "\n\n" .. second .. "\n\n" ..
        ("  " .. code:gsub("\n(.)", "\n  %1"))
    end,
    see = {":load", "start"}},

  {"tilelang", en = "For TileLang users", zh = "致 TileLang 用户",
    text = {
      en = [[
Names, the order of arguments and defaults are those of TileLang 0.1.13.  What is written
differently:

  with T.Kernel(..) as (bx, by):      for bx, by in T.Kernel(..) do .. end
  for i, j in T.Parallel(M, N):       for i, j in T.Parallel(M, N) do .. end
  T.gemm(A, B, C, transpose_B=True)   T.gemm(A, B, C, {transpose_B = true})
  A: T.Tensor((M, K), "float16")      A: T.Tensor({M, K}, T.float16), a statement
  @tilelang.jit                       f = tl.jit(function(A, B) .. end)
  A.shape[0]                          A.shape[1]: a Lua table; indices of A count from 0
  x if c else y                       c and x or y

Where TileLang guesses silently, there is an error here: copies whose sides differ, two
iterations of T.Parallel that write one element, a local that a loop assigns.  Names that are not
supported yet say so, and what to use instead.  `require "tilelang"` is tl.]],
      zh = [[
名称、参数次序与默认值同 TileLang 0.1.13。写法不同之处：

  with T.Kernel(..) as (bx, by):      for bx, by in T.Kernel(..) do .. end
  for i, j in T.Parallel(M, N):       for i, j in T.Parallel(M, N) do .. end
  T.gemm(A, B, C, transpose_B=True)   T.gemm(A, B, C, {transpose_B = true})
  A: T.Tensor((M, K), "float16")      A: T.Tensor({M, K}, T.float16)，作为语句
  @tilelang.jit                       f = tl.jit(function(A, B) .. end)
  A.shape[0]                          A.shape[1]：Lua 表；A 的下标仍从 0 数起
  x if c else y                       c and x or y

TileLang 默默猜测之处，这里会报错：两侧大小不同的复制、T.Parallel 的两次迭代写同一元素、循环中
赋值的局部变量。尚未支持的名称会明确说明，并给出替代写法。`require "tilelang"` 即 tl。]],
    },
    see = {"language", "calls", "kernels"}},
}
