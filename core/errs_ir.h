/* Messages of the IR reader and verifier: E050 to E099.  See errs.h. */
ERR(ir_expected, "E050", Lerror, "this is not readable as IR", "无法将其读作 IR",
    "expected {1}, saw {2}", "此处应为 {1}，实际是 {2}",
    "compare with what `:ir` prints; the grammar stands at the head of core/parse.c",
    "请对照 `:ir` 的输出；语法见 core/parse.c 开头")
ERR(ir_undefined, "E051", Lerror, "`{1}` is not defined here", "`{1}` 在此处没有定义",
    "no such name is visible", "此处看不到这个名字",
    "declare it in this block or in one around it, before this line", "请在本块或外层块中、这一行之前声明它")
ERR(ir_redefined, "E052", Lerror, "`{1}` is declared twice", "`{1}` 重复声明",
    "the name is taken", "该名字已被使用",
    "tell them apart by a suffix: {1}.2", "请加后缀区分：{1}.2")
ERR(ir_limit, "E053", Lerror, "the IR text exceeds a limit", "IR 文本超出限制",
    "{1}: the limit is {2}", "{1}：上限为 {2}",
    "split the kernel into smaller ones", "请把内核拆成更小的内核")
ERR(ir_notbuf, "E054", Lerror, "`{1}` is no buffer", "`{1}` 不是缓冲区",
    "it names a variable", "它是一个变量",
    "write the name of a buffer", "请写一个缓冲区的名字")
ERR(ir_literal, "E055", Lerror, "{1} is out of range", "{1} 超出范围",
    "it is no {2}", "它不属于 {2}",
    "write a value in that range, or a wider type: int64({1})", "请写范围之内的值，或更宽的类型：int64({1})")
ERR(ir_file, "E056", Lerror, "no file {1} in the table of files", "文件表中没有第 {1} 个文件",
    "the table has {2}", "文件表共有 {2} 个文件",
    "add a line `file {1} \"name\"` before `kernel`", "请在 `kernel` 之前加一行 `file {1} \"文件名\"`")
ERR(ir_attr, "E057", Lerror, "`{1}` is no attribute of `{2}`", "`{2}` 没有属性 `{1}`",
    "known are: {3}", "可用的有：{3}",
    "use one of these, or leave it out", "请使用其中之一，或省略它")
ERR(ir_from, "E058", Lnote, "it was read from this line of IR text", "它来自 IR 文本的这一行", "", "", "", "")
ERR(ir_type, "E059", Lerror, "an integer is needed here", "此处需要整数",
    "this is {1}", "其类型是 {1}",
    "cast it: int32(...)", "请转换：int32(...)")
ERR(ir_count, "E060", Lerror, "a wrong number of items", "项数不对",
    "expected {1}, saw {2}", "应有 {1} 个，实际 {2} 个",
    "add or remove some", "请增删到所需的个数")
ERR(ir_number, "E061", Lerror, "this is no number", "这不是合法的数",
    "at most 64 bits, 63 characters, and no letter behind it", "最多 64 位、63 个字符，且后面不能紧跟字母",
    "put a space or an operator behind it, or shorten it", "请在其后加空格或运算符，或缩短它")
ERR(ir_quote, "E062", Lerror, "a quote without its end", "引号没有结束",
    "it begins here", "它从这里开始",
    "close it on the same line; write \\n for a new line", "请在同一行结束引号；换行请写作 \\n")
ERR(ir_escape, "E063", Lerror, "an escape that does not exist", "不存在的转义符",
    "in this quote", "在这个引号中",
    "use one of \\n \\\\ \\\" \\' \\xHH, HH from 01 to ff", "可用的有 \\n \\\\ \\\" \\' \\xHH，HH 从 01 到 ff")
ERR(ir_char, "E064", Lerror, "a character that is no part of the IR", "不属于 IR 的字符",
    "byte {1}", "字节 {1}",
    "names with other letters stand in 'single quotes'", "含其他字符的名字请放在 '单引号' 中")
ERR(ir_param, "E065", Lerror, "`{1}` cannot be a parameter or a result", "`{1}` 不能作为参数或返回值",
    "it is no global buffer and no scalar", "它既不是全局缓冲区，也不是标量",
    "declare it as `buffer {1}: global ...` or `scalar {1}: ...`", "请声明为 `buffer {1}: global ...` 或 `scalar {1}: ...`")
