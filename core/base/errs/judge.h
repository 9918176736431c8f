/* Messages about a solution that is judged in its own process (lua/state/sandbox.c). */
/* {1} the name */
ERR(judge_name, "E860", Lerror, "`{1}` is not available while a solution is judged", "判题时不能使用 `{1}`", "", "",
    "a solution has T, tl.jit, tl's tensors, math, string, table and utf8; take this out, or try it with `moontile FILE`",
    "题解中只有 T、tl.jit、tl 的张量、math、string、table 与 utf8；请去掉此处，或用 `moontile 文件` 单独运行")
ERR(judge_name_python, "E994", Lerror, "`{1}` is not available while a solution is judged", "判题时不能使用 `{1}`", "", "",
    "a solution has T, tilelang, torch, and modules that need no machine, as math; take this out, or try it with `moontile FILE.py`",
    "题解中只有 T、tilelang、torch 以及 math 等与机器无关的模块；请去掉此处，或用 `moontile 文件.py` 单独运行")
/* {1} the name */
ERR(judge_frozen, "E861", Lerror, "`{1}` cannot be changed", "不能修改 `{1}`", "", "",
    "keep it in a variable of your own", "请使用自己的变量")
ERR(judge_binary, "E862", Lerror, "this is compiled Lua, not text", "这不是文本，而是编译后的 Lua", "", "",
    "hand in the source", "请提交源代码")
/* {1} bytes, {2} the most */
ERR(judge_size, "E863", Lerror, "the text is {1} bytes long", "文本长达 {1} 字节", "at most {2}", "至多 {2} 字节",
    "a solution fits on a page; write long tables as loops", "题解一页就够了；长的表请写成循环")
/* {1} seconds */
ERR(judge_time, "E864", Lerror, "the program ran longer than {1} s before it reached its kernel",
    "程序运行超过 {1} 秒，仍未得到内核", "", "",
    "write a loop that belongs to the kernel inside it, with T.Serial or T.Parallel; look for one that never ends",
    "属于内核的循环应写在内核中，用 T.Serial 或 T.Parallel；请检查是否有不会结束的循环")
/* {1} instructions */
ERR(judge_instructions, "E865", Lerror, "the program took more than {1} steps before it reached its kernel",
    "程序执行了超过 {1} 步，仍未得到内核", "", "",
    "write a loop that belongs to the kernel inside it, with T.Serial or T.Parallel; look for one that never ends",
    "属于内核的循环应写在内核中，用 T.Serial 或 T.Parallel；请检查是否有不会结束的循环")
/* {1} MiB */
ERR(judge_memory, "E866", Lerror, "the program took more than {1} MiB of memory before it reached its kernel",
    "程序占用超过 {1} MiB 内存，仍未得到内核", "", "",
    "look for a table or string that grows without end", "请检查是否有不断增长的表或字符串")
/* {1} how */
ERR(judge_killed, "E867", Lerror, "the process that ran the program was ended", "运行程序的进程被终止", "{1}", "{1}",
    "if it happens again with a program that is not meant to do so, please report it",
    "若程序本身并无此意而问题重现，请报告给我们")
/* {1} what it said */
ERR(judge_trouble, "E868", Lerror, "the process that runs solutions failed", "运行题解的进程出错", "{1}", "{1}",
    "please report it with the program that shows it", "请附上能重现问题的程序并报告给我们")
/* {1} the name, {2} the nearest one */
ERR(judge_near, "E869", Lerror, "there is no kernel called `{1}`", "没有名为 `{1}` 的内核", "", "",
    "did you mean `{2}`? The name matters", "是否指 `{2}`？名称必须一致")
/* {1} the name, {2} names that there are */
ERR(judge_kernels, "E870", Lerror, "there is no kernel called `{1}`", "没有名为 `{1}` 的内核",
    "kernels in this file: {2}", "文件中的内核：{2}",
    "name it like this: {0|{1} = tl.jit(function(...) ... end)|@tilelang.jit above def {1}(...):}", "请这样命名：{0|{1} = tl.jit(function(...) ... end)|@tilelang.jit above def {1}(...):}")
/* {1} the name */
ERR(judge_none, "E871", Lerror, "there is no kernel in this file", "文件中没有内核", "", "",
    "write one: {0|{1} = tl.jit(function(...) ... end)|@tilelang.jit above def {1}(...):}", "请写一个：{0|{1} = tl.jit(function(...) ... end)|@tilelang.jit above def {1}(...):}")
/* {1} the name, {2} bytes of text, {3} the most */
ERR(judge_large, "E872", Lerror, "the kernel `{1}` is too long", "内核 `{1}` 过长", "its program has {2} bytes of text, the limit is {3}",
    "其程序文本有 {2} 字节，上限为 {3}",
    "{0|a loop of plain Lua writes|a loop of plain Python writes} its body once per iteration; use T.Serial, T.Parallel or T.unroll",
    "{0|普通的 Lua 循环|普通的 Python 循环}每一轮都会写出一遍循环体；请用 T.Serial、T.Parallel 或 T.unroll")
/* Text of a program's output, not of an error. */
ERR(judge_launch, "E873", Lwarning, "kernels that the file itself calls are not run while it is judged",
    "判题时不会运行文件自己调用的内核", "what they return reads as zeros", "其返回值读作零", "", "")
/* {1} bytes */
ERR(judge_output, "E874", Lwarning, "the output was cut after {1} bytes", "输出在 {1} 字节之后被截断", "", "", "", "")
