-- help/topics_python.lua: the page on Python: where it runs, what is there, what differs.
-- {name, en = title, zh = title, text = {en =, zh =}, [example =, see =]}

return {
  {"python", en = "Programs in TileLang's Python", zh = "TileLang 的 Python 程序",
    text = {
      en = [[
Where it runs, without CPython, TVM or PyTorch:

  moontile gemm.py [ARGS]          a file; also check, compile, explain, bench, plot FILE.py
  at the prompt                    typed or pasted; a block ends at an empty line
  tl.python "gemm.py"              its functions for Lua; also require "gemm"
  moontile convert gemm.py         the same program in Lua, line by line

At the prompt an input that only Python or only Lua has is read as that.  What could be both,
such as `x = 1`, is read as the language of the prompt: `py 3>` is Python, `3>` is Lua.  A
statement of the other language changes it, and so do :python and :lua.

Both languages have the same variables.  Kernels, tensors, layouts, numbers and texts are the
same values; functions call each other with values of their own kind.  Lua prints Python's lists,
dicts and objects as they are; a Lua table arrives in Python as a copy (a tuple or a dict).
Python's modules and names that Lua needs (`string`, `type`) are seen by Python alone.

What is there:

  the language     functions with all kinds of parameters, classes, exceptions, generators,
                   comprehensions, f-strings, decorators, with, walrus; match and async are not
  modules          tilelang, tilelang.language, torch (over tl.host), math, itertools, functools,
                   collections, dataclasses, typing, argparse, json, random, re, time, os, sys ..
                   of numpy, pytest and triton what such programs use beside kernels
  not              other packages, Triton's kernels, C extensions, second derivatives; text files are UTF-8

What differs from CPython and TileLang:

  int              64 bits: a larger result is an OverflowError, never another number
  an expression    as the last statement of an input its value is shown; not within blocks
  `_`, `_7`        the last result, the result of input 7
  float16 and such conversions and sums as on the device
  tensors          live where tl puts them; .cuda(), device="cuda" change nothing, and what is
                   shown of a tensor has no device.  They compute as on a GPU: x / 3 is x * (1 / 3)
  numpy's arrays   are tensors with NumPy 2's dtypes; a single bool is Python's, not np.True_
  target="cuda"    means the target of the session: :target, -t
  T.Kernel         runs in the simulator or on the cpu when there is no GPU
  n += A[0]        in a kernel, where n was a number: n is that expression and computed where it is
                   read, as in TileLang; so is n := A[0].  `n = A[0]` is computed at once
  n: T.int8 = A[0] converts nothing, as in TileLang (a warning says so)
  T.cast           of a float beyond an integer type gives what TileLang gives with nvcc, on
                   every target: int32 and wider end at their limits, narrower types are the last bits
                   of an int32 (unsigned ones of a uint32), NaN is 0.  300.0 as int8 is 44, -5.0 as
                   uint8 is 0; a tensor's .to(torch.uint8) makes 251 of that, as PyTorch's does
  kernel errors    carry the line and column of the Python text, and one thing to do]],
      zh = [[
可以在以下各处运行，不需要 CPython、TVM 或 PyTorch：

  moontile gemm.py [ARGS]          文件；check、compile、explain、bench、plot FILE.py 也可以
  提示符                           输入或粘贴；代码块以空行结束
  tl.python "gemm.py"              供 Lua 使用其中的函数；也可 require "gemm"
  moontile convert gemm.py         逐行写成同样的 Lua 程序

在提示符处，只符合一种语言语法的输入按该语言读取。两种语言都合法的输入（如 `x = 1`）按提示符当前的
语言读取：`py 3>` 为 Python，`3>` 为 Lua。输入另一种语言的语句，或用 :python、:lua，即可切换。

两种语言使用同一组变量。内核、张量、布局、数和字符串在两边是同一个值；函数可以互相调用，收到的都是
自己语言的值。Lua 原样显示 Python 的列表、字典和对象；Lua 的表在 Python 中是一份副本（元组或字典）。
Python 的模块，以及 Lua 自己需要的名称（`string`、`type`），只有 Python 可见。

支持的内容：

  语言             各种参数的函数、类、异常、生成器、推导式、f-string、装饰器、with、:=；
                   没有 match 和 async
  模块             tilelang、tilelang.language、torch（基于 tl.host）、math、itertools、functools、
                   collections、dataclasses、typing、argparse、json、random、re、time、os、sys 等；
                   numpy、pytest、triton 中这类程序在内核之外会用到的部分
  不支持           其他软件包、Triton 的内核、C 扩展、高阶导数；文本文件一律为 UTF-8

与 CPython 和 TileLang 的差别：

  int              64 位：更大的结果是 OverflowError，绝不会变成别的数
  表达式           作为输入的最后一条语句时显示其值；代码块内不显示
  `_`、`_7`        上一个结果、第 7 次输入的结果
  float16 等       转换与求和的结果与设备上一致
  张量             由 tl 决定存放位置；.cuda()、device="cuda" 没有作用，显示时也不带 device；
                   计算方式同 GPU：x / 3 即 x * (1 / 3)
  numpy 的数组     即张量，dtype 按 NumPy 2 的规则；单个布尔值是 Python 的，不是 np.True_
  target="cuda"    指会话的目标：:target、-t
  T.Kernel         没有 GPU 时在模拟器或 cpu 上运行
  n += A[0]        内核中若 n 原是数，n 就成为这个表达式，读取它时才计算，与 TileLang 相同；
                   n := A[0] 也是如此。`n = A[0]` 则立即计算
  n: T.int8 = A[0] 不做类型转换，与 TileLang 相同（会有警告）
  T.cast           浮点数超出整数范围时，各目标都与 nvcc 编译的 TileLang 内核一致：int32 及更宽的类型取端点，
                   更窄的类型取 int32（无符号类型取 uint32）的低位，NaN 为 0。300.0 转 int8 得 44，
                   -5.0 转 uint8 得 0；张量的 .to(torch.uint8) 则与 PyTorch 一样得 251
  内核的报错       给出 Python 源码中的行号与列号，以及一条建议]],
    },
    see = {":python", "tl.python", "lua", "language"}},
}
