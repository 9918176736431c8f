/* Messages of the dialect reader and Lua itself, and of operators: E001 to E049, E1217.  See errs.h. */
ERR(lua, "E001", Lerror, "{1}", "{1}", "", "", "", "")
/* the reader (lua/dialect*.c) */
ERR(syn_token, "E002", Lerror, "expected {1} after {2}, saw {3}", "{2} 之后应为 {1}，这里却是 {3}",
    "", "", "", "")
ERR(syn_unclosed, "E003", Lerror, "expected {1} to close {2} at line {3}, saw {4}",
    "应以 {1} 结束第 {3} 行的 {2}，这里却是 {4}", "", "", "", "")
ERR(syn_expr, "E004", Lerror, "expected an expression after {1}, saw {2}",
    "{1} 之后应为表达式，这里却是 {2}", "", "", "", "")
ERR(syn_name, "E005", Lerror, "expected a name after {1}, saw {2}", "{1} 之后应为名称，这里却是 {2}",
    "", "", "", "")
ERR(syn_statement, "E006", Lerror, "{1} cannot start a statement", "语句不能以 {1} 开头", "", "", "", "")
ERR(syn_effect, "E007", Lerror, "an expression alone is not a statement", "单独的表达式不是语句",
    "this value is not used", "这个值没有去处",
    "assign it to a name, or call a function with it", "请把它赋给一个名称，或作为参数传给函数")
ERR(syn_assign, "E008", Lerror, "cannot assign to {1}", "不能给 {1} 赋值", "", "",
    "only names, fields and elements can be on the left of {2}", "{2} 的左边只能是名称、字段或元素")
ERR(lex_string, "E009", Lerror, "unfinished string", "字符串没有结束",
    "no closing {1} on this line", "这一行没有结尾的 {1}", "", "")
ERR(lex_longstring, "E010", Lerror, "unfinished long string", "长字符串没有结束",
    "no closing {1} up to the end", "直到文末也没有 {1}", "", "")
ERR(lex_comment, "E011", Lerror, "unfinished comment", "注释没有结束",
    "no closing {1} up to the end", "直到文末也没有 {1}", "", "")
ERR(lex_number, "E012", Lerror, "malformed number {1}", "数字 {1} 的写法有误", "", "",
    "numbers are written 1000, 1.5, 1e-3, 0x1F", "数字的写法为 1000、1.5、1e-3、0x1F")
ERR(lex_escape, "E013", Lerror, "invalid escape sequence {1}", "转义序列 {1} 无效", "", "",
    "valid are \\a \\b \\f \\n \\r \\t \\v \\z \\\\ \\\" \\' \\ddd \\xXX \\u{XXX}",
    "可用的有 \\a \\b \\f \\n \\r \\t \\v \\z \\\\ \\\" \\' \\ddd \\xXX \\u{XXX}")
ERR(lex_char, "E014", Lerror, "unexpected character {1}", "意外的字符 {1}", "", "", "", "")
ERR(lex_foreign, "E015", Lerror, "{1} is not Lua", "Lua 中没有 {1}", "", "",
    "write {2}", "请写成 {2}")
ERR(syn_python, "E158", Lerror, "this is Python, in a file that is read as Lua", "这是 Python 代码，而此文件按 Lua 读取",
    "", "", "give it a name that ends in .py, and it runs as it stands; `moontile convert FILE.py` writes it in Lua; `:help python`",
    "请让文件名以 .py 结尾，它即可照原样运行；`moontile convert FILE.py` 将其写成 Lua；`:help python`")
ERR(syn_const, "E016", Lerror, "cannot assign to {1}, it is constant", "不能给常量 {1} 赋值",
    "declared at line {2}", "声明于第 {2} 行", "", "")
ERR(syn_break, "E017", Lerror, "break outside a loop", "break 不在循环之内", "", "", "", "")
ERR(syn_goto, "E018", Lerror, "no visible label {1} for this goto", "goto 找不到可见的标签 {1}", "", "",
    "a label is visible in its own block and in the blocks inside it", "标签只在所在的块及其内层块中可见")
ERR(syn_label, "E019", Lerror, "label {1} is defined twice", "标签 {1} 重复",
    "the first is at line {2}", "前一个在第 {2} 行", "", "")
ERR(syn_vararg, "E020", Lerror, "`...` outside a function that takes it", "`...` 不在可变参数函数之内",
    "", "", "add ... to the function's parameters", "请在函数的参数中加上 ...")
ERR(syn_attrib, "E021", Lerror, "unknown attribute {1}", "未知的属性 {1}", "", "",
    "the attributes are const and close", "属性只有 const 和 close")
ERR(syn_toclose, "E022", Lerror, "more than one <close> in one declaration", "一条声明中有多个 <close>",
    "", "", "declare them one by one", "请分开声明")
ERR(syn_deep, "E023", Lerror, "nested more than {1} levels deep", "嵌套超过 {1} 层", "", "",
    "give a part of it a name of its own", "请把其中一部分另起一个名称")
/* limits of Lua's own (lua/state/limits.c): {1} the limit */
ERR(limit_locals, "E407", Lerror, "more than {1} local variables at a time in one function", "同一函数中同时存在的局部变量超过 {1} 个",
    "this one is too many; a `for ... in` takes 4 besides its names", "到此超出；每个 `for ... in` 除其变量外还占 4 个",
    "put parts between `do` and `end` or into functions, or keep the values in a table: t[1], t[2]",
    "请把一部分放进 `do ... end` 或单独的函数，或把值存进表：t[1]、t[2]")
ERR(limit_total, "E408", Lerror, "more than {1} local variables in all in one function", "同一函数中的局部变量总数超过 {1} 个",
    "this one is too many; a `for ... in` takes 4 besides its names", "到此超出；每个 `for ... in` 除其变量外还占 4 个",
    "move parts into functions, which may be local to the kernel; or write what repeats once, in a Lua loop: `for n = 1, 7000 do ... end` is unrolled",
    "请把一部分移入函数（可以是内核里的局部函数）；或用 Lua 循环只写一次重复的部分：`for n = 1, 7000 do ... end` 会被展开")
ERR(limit_block, "E409", Lerror, "a loop or branch is too long", "循环或分支过长",
    "it ends here and has more than 131071 of Lua's instructions; one a name, a number, an operator", "它在此结束，超过了 131071 条 Lua 指令（每个名称、数、运算符各约一条）",
    "what repeats, write once in a Lua loop, which is unrolled: `for n = 0, 7000 do s = s + A[n] end`, `s` a T.alloc_var; or move parts into functions",
    "重复的部分请用 Lua 循环只写一次，它会被展开：`for n = 0, 7000 do s = s + A[n] end`，`s` 为 T.alloc_var；或把一部分移入函数")
ERR(limit_values, "E452", Lerror, "too many values in one call or expression", "一次调用或一个表达式中的值过多",
    "about 250 fit, besides the local variables", "连同局部变量在内最多约 250 个", "put them into a table, or divide the expression", "请把它们放进表中，或拆分表达式")
ERR(limit_upvalues, "E453", Lerror, "a function uses more than {1} local variables from outside it", "一个函数使用的外层局部变量超过 {1} 个",
    "", "", "keep them in a table", "请把它们存进一个表")
ERR(limit_other, "E454", Lerror, "the program is too large for Lua: {1}", "程序对 Lua 来说过大：{1}", "", "",
    "move parts into functions, or into files of their own", "请把一部分移入函数或单独的文件")
ERR(limit_deep, "E455", Lerror, "the program is nested too deeply for Lua", "程序嵌套过深", "", "",
    "give parts of long expressions names of their own: local a = x and y", "请把长表达式的一部分另起名称：local a = x and y")
ERR(syn_slicestep, "E024", Lerror, "a slice has no step", "切片没有步长", "", "",
    "write lo:hi; the step is always 1", "请写成 lo:hi；步长总是 1")
ERR(syn_annotated, "E025", Lerror, "an annotated name cannot be assigned here", "带类型标注的名称在这里不能赋值",
    "", "", "write the annotation and the assignment as two statements", "请把标注和赋值写成两条语句")
ERR(lua_compile, "E026", Lerror, "{1}", "{1}", "", "", "", "")
/* staged code (lua/stage/init.lua) */
ERR(stage_assign, "E030", Lerror, "`{1}` was declared outside this loop or branch",
    "`{1}` 声明于这个循环或分支之外",
    "this would be assigned once, while the kernel is traced", "这里只会在追踪内核时赋值一次",
    "make it a variable of the kernel: local {1} = T.alloc_var(dtype, init)",
    "请使用内核变量：local {1} = T.alloc_var(dtype, init)")
ERR(stage_global, "E257", Lerror, "`{1}` {0|is assigned in a loop or branch without `local`|is assigned in a loop or branch}",
    "在循环或分支中给 `{1}` 赋值却没有写 `local`",
    "without it this is a global, assigned once, while the kernel is traced",
    "没有 local 它就是全局变量，只会在追踪内核时赋值一次",
    "{0|write local {1} = ...; if|if} it has to outlive this iteration or branch, {0|put local {1} =|put {1} =} T.alloc_var(dtype, init) in front",
    "请写 local {1} = ...；若其值要保留到本轮或本分支之后，请在前面写 local {1} = T.alloc_var(dtype, init)")
ERR(stage_cond, "E031", Lerror, "a number is not a condition", "数字不能作为条件",
    "{0|in Lua every number is true, even 0|the kernel does not know whether it is 0}", "{0|在 Lua 中任何数字都为真，0 也一样|内核不知道它是否为 0}",
    "compare it, {0|for example x ~= 0|for example x != 0}", "请写成比较，{0|例如 x ~= 0|例如 x != 0}")
ERR(stage_and, "E032", Lerror, "`c and x` with a run-time condition needs an `or`",
    "运行时条件的 `c and x` 还需要 `or`", "", "",
    "write c and x or y, or T.if_then_else(c, x, y)", "请写成 c and x or y，或 T.if_then_else(c, x, y)")
ERR(stage_or, "E033", Lerror, "`or` of a run-time condition and something that is not a condition",
    "运行时条件的 `or` 另一边不是条件", "", "",
    "to choose between two values write c and x or y", "要在两个值中选择，请写成 c and x or y")
ERR(stage_select, "E034", Lerror, "a run-time condition cannot choose {1}", "运行时条件不能选择 {1}", "", "",
    "choose between numbers, or use an if statement", "请在数字之间选择，或使用 if 语句")
ERR(stage_chosen, "E456", Lerror, "an atomic among the arguments of {1} would be done whatever the condition says",
    "{1} 参数中的原子操作无论条件如何都会执行",
    "only {1} under its own name, with arguments by position, skips what is not chosen",
    "只有以 {1} 本名、按位置传参调用时，才会略去未选中的一侧",
    "write the call as {1}(...), its arguments by position, or use an if statement",
    "请写成 {1}(...) 并按位置传参，或使用 if 语句")
ERR(stage_repeat, "E035", Lerror, "`repeat` needs a condition that is known while tracing",
    "`repeat` 的条件必须在追踪时已知", "", "",
    "write a while loop, or T.serial with a break", "请改用 while 循环，或带 break 的 T.serial")
ERR(stage_return, "E036", Lerror, "return from inside a run-time loop or branch", "从运行时的循环或分支中返回",
    "", "", "assign to a T.alloc_var and return after it", "请赋值给 T.alloc_var，在其后返回")
ERR(stage_break, "E037", Lerror, "a run-time condition cannot leave a loop of the host", "运行时条件不能离开主机端的循环",
    "this loop is run while the kernel is traced", "这个循环在追踪内核时执行",
    "write the loop with T.serial", "请用 T.serial 写这个循环")
ERR(stage_continue, "E038", Lerror, "a run-time condition cannot skip the rest of a loop of the host",
    "运行时条件不能跳过主机端循环的剩余部分",
    "this loop is run while the kernel is traced", "这个循环在追踪内核时执行",
    "write the loop with T.serial", "请用 T.serial 写这个循环")
ERR(stage_goto, "E039", Lerror, "goto out of a run-time loop or branch", "用 goto 跳出运行时的循环或分支", "", "",
    "only a jump to the end of the loop's body is possible", "只能跳到循环体的末尾")
ERR(stage_step, "E040", Lerror, "the step of a run-time loop must be a known number, not 0",
    "运行时循环的步长必须是已知且不为 0 的数", "this one is {1}", "这里是 {1}",
    "use a number, or a while loop over a T.alloc_var", "请使用数值，或对 T.alloc_var 使用 while 循环")
ERR(stage_compare, "E041", Lerror, "a run-time value cannot be compared with {1}",
    "运行时的值不能与 {1} 比较", "", "", "compare it with a number or an expression", "请与数值或表达式比较")
/* what Lua says, with what the stack knows (lua/state/error_handler.c) */
ERR(lua_near, "E027", Lerror, "{1}", "{1}", "", "", "did you mean `{2}`?", "您是否想写 `{2}`？")
ERR(lua_python, "E729", Lerror, "{1}", "{1}", "", "", "what is `{2}` in Python is `{3}` here", "Python 的 `{2}` 在此写作 `{3}`")
ERR(word_python, "E477", Lnote, "`{1}` has no value here; write `{2}`", "`{1}` 在此没有值；请写 `{2}`", "", "", "", "")
ERR(word_needless, "E478", Lnote, "`{1}` is not needed: a block may be empty", "不需要 `{1}`：代码块可以为空", "", "", "", "")
ERR(nil_name, "E028", Lnote, "`{1}` has no value here", "`{1}` 在此处没有值", "", "", "", "")
ERR(nil_near, "E029", Lnote, "`{1}` has no value here; did you mean `{2}`?", "`{1}` 在此处没有值；您是否想写 `{2}`？", "", "", "", "")
/* what is meant where a text is not valid (lua/reader/dialect_wrong.c) */
ERR(syn_suspect, "E042", Lerror, "expected {1} to close {2} at line {3}, saw {4}",
    "应以 {1} 结束第 {3} 行的 {2}，这里却是 {4}", "", "",
    "judging by the indentation, {5} at line {6} has no `end`", "从缩进看，第 {6} 行的 {5} 缺少自己的 `end`")
ERR(syn_elseif, "E043", Lerror, "expected {1} to close {2} at line {3}, saw {4}",
    "应以 {1} 结束第 {3} 行的 {2}，这里却是 {4}", "", "",
    "`else if` opens another block: write `elseif`", "`else if` 会再打开一个块：请写 `elseif`")
ERR(syn_colon, "E044", Lerror, "a colon does not end a line in Lua", "Lua 的行末不写冒号", "", "",
    "remove it; blocks start with `do`, `then` or `function` and close with `end`",
    "请去掉它；块以 `do`、`then` 或 `function` 开始，以 `end` 结束")
ERR(syn_extra, "E045", Lerror, "{1} closes nothing that is open", "{1} 没有对应的开头", "", "",
    "remove it, or look above for a missing {2}", "请去掉它，或检查前面是否缺少 {2}")
ERR(syn_hash, "E046", Lerror, "{1} does not start a comment", "{1} 不是注释的开头", "", "",
    "comments start with `--`", "注释以 `--` 开头")
ERR(syn_equals, "E047", Lerror, "expected {1} after {2}, saw {3}", "{2} 之后应为 {1}，这里却是 {3}", "", "",
    "write `==` to compare", "比较请写 `==`")
ERR(syn_comma, "E048", Lerror, "expected {1} after {2}, saw {3}", "{2} 之后应为 {1}，这里却是 {3}", "", "",
    "separate entries with `,`", "各项之间请用 `,` 分隔")
ERR(lex_letter, "E049", Lerror, "unexpected character {1}", "意外的字符 {1}", "", "",
    "names are made of letters a to z, digits and _; other characters belong in strings",
    "名称由英文字母、数字和 _ 组成；其他字符只能写在字符串里")
ERR(lua_unset, "E095", Lerror, "{1}", "{1}", "", "", "no variable `{2}` has a value here: define it first", "此处没有有值的变量 `{2}`：请先定义它")
ERR(lua_misuse, "E691", Lerror, "{1}", "{1}", "", "", "use `T.{2}` like this: {3}", "`T.{2}` 的用法：{3}")
ERR(lua_method, "E696", Lerror, "{1}", "{1}", "there is no method `{2}`", "没有方法 `{2}`", "it has {3}", "已有方法：{3}")
ERR(lua_length, "E256", Lerror, "{1}", "{1}", "", "",
    "`#{2}` asks for a length, and `{2}` has no value here; a comment starts with `--`",
    "`#{2}` 求长度，而此处 `{2}` 没有值；注释以 `--` 开头")
ERR(syn_in, "E479", Lerror, "expected {1} after {2}, saw {3}", "{2} 之后应为 {1}，这里却是 {3}",
    "`in` is used only in `for`", "`in` 只用于 `for`",
    "a key: t[x] ~= nil; a value: for _, v in ipairs(t) do ... end; a text: s:find(x, 1, true)",
    "查键：t[x] ~= nil；查值：for _, v in ipairs(t) do ... end；查文本：s:find(x, 1, true)")
ERR(syn_import, "E457", Lerror, "{1} is not Lua", "Lua 中没有 {1}", "nothing has to be imported here", "这里无需导入任何东西",
    "T has what kernels are made of, tl has tensors and the rest; math and os are available too: `:help tl`",
    "T 提供编写内核所需的一切，tl 提供张量等；math 和 os 也已就绪：`:help tl`")
ERR(syn_keyword, "E090", Lerror, "expected {1} after {2}, saw {3}", "{2} 之后应为 {1}，这里却是 {3}",
    "a call takes values, not `name = value`", "调用的参数是值，不能写成 `名称 = 值`",
    "put named arguments into a last table: f(x, {name = value})", "请把具名参数放进最后一个表：f(x, {名称 = 值})")
ERR(syn_paramtype, "E091", Lerror, "expected {1} after {2}, saw {3}", "{2} 之后应为 {1}，这里却是 {3}",
    "types do not go in the parameter list", "类型不写在参数列表里",
    "annotate inside the function, as its first statements: A: T.Tensor(...)", "请在函数体开头标注：A: T.Tensor(...)")
ERR(syn_tuple, "E092", Lerror, "expected {1} after {2}, saw {3}", "{2} 之后应为 {1}，这里却是 {3}",
    "Lua has no tuples", "Lua 没有元组", "write a table: {M, N}", "请写成表：{M, N}")
ERR(syn_ternary, "E093", Lerror, "expected {1} after {2}, saw {3}", "{2} 之后应为 {1}，这里却是 {3}",
    "`if` cannot choose between values", "`if` 不能用来选择值",
    "write c and x or y, or T.if_then_else(c, x, y)", "请写成 c and x or y，或 T.if_then_else(c, x, y)")
ERR(global_near, "E096", Lerror, "there is no `{1}`", "没有 `{1}`", "", "", "did you mean `{2}`?", "您是否想写 `{2}`？")
ERR(local_ended, "E939", Lerror, "there is no `{1}` here", "此处没有 `{1}`",
    "the `local {1}` of line {2} ended with the block that it stands in", "第 {2} 行的 `local {1}` 已随其所在的块结束",
    "declare it in front of that block", "请在那个块之前声明它")
ERR(global_unset, "E097", Lerror, "there is no `{1}`", "没有 `{1}`", "", "",
    "give it a value before the kernel uses it; one that may be missing is read as _G.{1}",
    "请在内核使用之前给它赋值；可能不存在的全局变量请写成 _G.{1}")
ERR(syn_brace, "E094", Lerror, "blocks are not written in braces", "块不写在花括号里", "", "",
    "write {1} ... `end`", "请写成 {1} ... `end`")
ERR(lex_blank, "E098", Lerror, "a space character that Lua does not know", "Lua 不认识的空白字符", "", "",
    "it looks like a space and often comes with copied text: replace it with an ordinary one",
    "它看起来像空格，常随复制的文字而来：请改为普通空格")
ERR(syn_forin, "E099", Lerror, "expected {1} after {2}, saw {3}", "{2} 之后应为 {1}，这里却是 {3}",
    "`for i = ` needs two numbers: from, to", "`for i = ` 需要两个数：起点与终点",
    "to iterate over what a call returns, write `for i in ...`", "要遍历函数给出的值，请写 `for i in ...`")
ERR(int_pow, "E1217", Lerror, "a power of two integers has no type here", "两个整数的乘方在此没有类型",
    "the base is {1}, the exponent {2}", "底数类型为 {1}，指数类型为 {2}",
    "cast one side, T.float32(x), or write the exponent down: a whole number from 0 on multiplies",
    "请转换一侧：T.float32(x)；或把指数写成 0 以上的整数，此时用乘法计算")
