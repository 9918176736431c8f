/* Messages of the IR reader and verifier: E050 to E099.  See errs.h. */
ERR(ir_expected, "E050", Lerror, "this is not valid IR", "无法将其读作 IR",
    "expected {1}, saw {2}", "此处应为 {1}，实际是 {2}",
    "compare with what `:ir` prints; the grammar is at the top of core/ir/parse.c",
    "请对照 `:ir` 的输出；语法见 core/ir/parse.c 开头")
ERR(ir_undefined, "E051", Lerror, "`{1}` is not defined here", "`{1}` 在此处没有定义",
    "no such name is visible", "此处看不到这个名字",
    "declare it in this block or in one around it, before this line", "请在本块或外层块中、这一行之前声明它")
ERR(ir_redefined, "E052", Lerror, "`{1}` is declared twice", "`{1}` 重复声明",
    "the name is taken", "该名字已被使用",
    "tell them apart by a suffix: {1}.2", "请加后缀区分：{1}.2")
ERR(ir_limit, "E053", Lerror, "the IR text exceeds a limit", "IR 文本超出限制",
    "{1}: at least {3}, the limit is {2}", "{1}：至少 {3}，上限为 {2}",
    "write fewer or shorter ones, or split the kernel into several", "请减少其数量或长度，或把内核拆成几个")
ERR(ir_notbuf, "E054", Lerror, "`{1}` is not a buffer", "`{1}` 不是缓冲区",
    "it names a variable", "它是一个变量",
    "write the name of a buffer", "请写一个缓冲区的名字")
ERR(ir_literal, "E055", Lerror, "{1} is out of range", "{1} 超出范围",
    "it does not fit in {2}", "它不属于 {2}",
    "write a value in that range, or a wider type: int64({1})", "请写范围之内的值，或更宽的类型：int64({1})")
ERR(ir_file, "E056", Lerror, "no file {1} in the table of files", "文件表中没有第 {1} 个文件",
    "the table has {2}", "文件表共有 {2} 个文件",
    "add a line `file {1} \"name\"` before `kernel`", "请在 `kernel` 之前加一行 `file {1} \"文件名\"`")
ERR(ir_attr, "E057", Lerror, "`{1}` is not an attribute of `{2}`", "`{2}` 没有属性 `{1}`",
    "known attributes: {3}", "可用的有：{3}",
    "use one of these, or leave it out", "请使用其中之一，或省略它")
ERR(ir_from, "E058", Lnote, "it was read from this line of IR text", "它来自 IR 文本的这一行", "", "", "", "")
ERR(ir_type, "E059", Lerror, "an integer is needed here", "此处需要整数",
    "this is {1}", "其类型是 {1}",
    "cast it: int32(...)", "请转换：int32(...)")
ERR(ir_count, "E060", Lerror, "wrong number of items", "项数不对",
    "expected {1}, saw {2}", "应有 {1} 个，实际 {2} 个",
    "add or remove some", "请增删到所需的个数")
ERR(ir_number, "E061", Lerror, "this is not a number", "这不是合法的数",
    "at most 64 bits, 63 characters, and no letter after it", "最多 64 位、63 个字符，且后面不能紧跟字母",
    "put a space or an operator after it, or shorten it", "请在其后加空格或运算符，或缩短它")
ERR(ir_quote, "E062", Lerror, "unterminated quote", "引号没有结束",
    "it begins here", "它从这里开始",
    "close it on the same line; write \\n for a new line", "请在同一行结束引号；换行请写作 \\n")
ERR(ir_escape, "E063", Lerror, "unknown escape sequence", "不存在的转义符",
    "in this quote", "在这个引号中",
    "use one of \\n \\\\ \\\" \\' \\xHH, HH from 01 to ff", "可用的有 \\n \\\\ \\\" \\' \\xHH，HH 从 01 到 ff")
ERR(ir_char, "E064", Lerror, "a character that is not part of the IR", "不属于 IR 的字符",
    "byte {1}", "字节 {1}",
    "put names with other letters in 'single quotes'", "含其他字符的名字请放在 '单引号' 中")
ERR(ir_param, "E065", Lerror, "`{1}` cannot be a parameter or a result", "`{1}` 不能作为参数或返回值",
    "it is neither a global buffer nor a scalar", "它既不是全局缓冲区，也不是标量",
    "declare it as `buffer {1}: global ...` or `scalar {1}: ...`", "请声明为 `buffer {1}: global ...` 或 `scalar {1}: ...`")
ERR(ir_unlisted, "E159", Lerror, "nothing gives `{1}` a value", "没有任何东西给 `{1}` 赋值",
    "it is declared, but the kernel's line does not list it", "它已声明，但 kernel 行中没有列出它",
    "list `{1}` in the kernel's line; `alloc {1}: global ...` makes a workspace, `dim {1}` a size", "请在 kernel 行中列出 `{1}`；`alloc {1}: global ...` 表示工作区，`dim {1}` 表示尺寸")
/* Operations of thread programs: tile_thread.c. */
ERR(ir_machine, "E066", Lerror, "unknown machine {1}", "没有名为 {1} 的机器",
    "known machines: {2}", "已知的有：{2}",
    "write one of these after `machine`", "请在 `machine` 之后写其中之一")
ERR(op_attr, "E067", Lerror, "`{2}` of {1} is out of range", "{1} 的 `{2}` 超出范围",
    "it is {3}; allowed: {4}", "其值为 {3}；允许：{4}",
    "give one of these values", "请给出允许的值")
ERR(op_bytes, "E068", Lerror, "{1} moves a different number of bytes", "{1} 搬运的字节数不符",
    "the region of `{2}` has {3} bytes, needed: {4}", "`{2}` 的区域有 {3} 字节，需要 {4}",
    "let the region cover as many bytes as the operation moves", "请让区域恰好覆盖该操作搬运的字节数")
ERR(op_regs, "E069", Lerror, "operand {2} of {1} has the wrong number of elements", "{1} 的操作数 {2} 元素个数不对",
    "`{3}` gives {4}, the instruction takes {5}", "`{3}` 给出 {4} 个，该指令需要 {5} 个",
    "let the region cover exactly these elements", "请让区域恰好覆盖这些元素")
ERR(op_mma, "E070", Lerror, "there is no matrix instruction \"{1}\" of this kind", "没有名为 \"{1}\" 的此类矩阵指令",
    "{2} needs one", "{2} 需要一条",
    "name an instruction of a machine, such as \"mma.m16n8k16.f32.f16\"", "请写某台机器的指令名，例如 \"mma.m16n8k16.f32.f16\"")
ERR(op_types, "E071", Lerror, "the types of {1} do not fit", "{1} 的类型不匹配",
    "`{2}` is {3}, wanted: {4}", "`{2}` 的类型是 {3}，应为 {4}",
    "use a buffer of that type", "请使用该类型的缓冲区")
ERR(op_box, "E072", Lerror, "{1} cannot move this box", "{1} 无法搬运此方块",
    "`{2}`: {3}", "`{2}`：{3}",
    "a box has at most 5 dimensions of at most 256, rows of 16 to its swizzle's bytes",
    "方块至多 5 维，每维至多 256，行的字节数为 16 的倍数且不超过其 swizzle 跨度")
ERR(op_object, "E073", Lerror, "{1} works on one object", "{1} 只作用于一个对象",
    "`{2}` has {3} of them", "`{2}` 给出了 {3} 个",
    "write its index: {2}[i]", "请写出下标：{2}[i]")
ERR(op_value, "E074", Lerror, "the value of {1} is not an integer", "{1} 的值不是整数",
    "its type is {2}", "其类型是 {2}",
    "give an int32 or a condition", "请给出 int32 或条件")
ERR(ir_map, "E075", Lerror, "this text is not a layout", "这段文本不是布局",
    "it is malformed, or modes leave gaps or collide", "格式有误，或各 mode 之间有空缺或冲突",
    "write it as `:ir` prints it: [64] off(0/1:64*1)", "请按 `:ir` 的输出书写：[64] off(0/1:64*1)")
/* Whole thread programs: verify_thread.c. */
ERR(thread_launch, "E076", Lerror, "a launch of a thread program has one thread variable", "线程程序的启动只有一个线程变量",
    "this one has {1}", "此处有 {1} 个", "write `threads tid in 128`", "请写 `threads tid in 128`")
ERR(thread_tile, "E077", Lerror, "{1} cannot appear in a thread program", "{1} 不能出现在线程程序中",
    "it belongs to tile programs", "它属于分块程序",
    "lower the tile program: moontile compile --emit thread", "请降级分块程序：moontile compile --emit thread")
ERR(ir_iteration, "E839", Lerror, "`{1}` says of whom it speaks by values of memory or of other threads", "`{1}` 的参数取决于内存或其他线程的值",
    "", "", "write numbers, threads and loop variables alone", "请只用数字、线程编号和循环变量")
ERR(thread_bounds, "E078", Lerror, "the bounds of this {1} loop are not constant", "此 {1} 循环的边界不是常数",
    "thread programs unroll it", "线程程序会将其展开", "write `serial`, or constant bounds", "请改为 `serial`，或使用常数边界")
ERR(vector_body, "E079", Lerror, "this vectorized loop is not a vector access", "此 vectorized 循环不是向量访问",
    "it holds more than stores, atomics and cp_async, or its bounds are not 0 and at least 1",
    "其中不只有存储、原子操作和 cp_async，或其边界不是从 0 到至少 1",
    "write `unroll`", "请改为 `unroll`")
ERR(vector_step, "E080", Lerror, "`{1}` does not move by one element with `{2}`", "`{1}` 并不随 `{2}` 逐个元素移动",
    "in a vector access it moves by one, or does not depend on `{2}`", "在向量访问中应逐个移动，或与 `{2}` 无关",
    "write `unroll`", "请改为 `unroll`")
ERR(vector_width, "E081", Lerror, "a vector of {1} bytes is too wide for {2}", "{1} 字节的向量对 {2} 过宽",
    "`{3}`; at most {4} bytes", "`{3}`；最多 {4} 字节",
    "split the loop", "请拆分此循环")
ERR(reg_constant, "E082", Lerror, "a register index of `{1}` is not constant when everything is unrolled", "完全展开后 `{1}` 的寄存器下标仍不是常数",
    "registers have no addresses: {2}", "寄存器没有地址：{2}",
    "index it by unrolled loops, or drop its map", "请用 unroll 循环作下标，或去掉其 map")
ERR(place_missing, "E083", Lerror, "`{1}` has no place in shared memory", "`{1}` 在共享内存中没有位置",
    "", "", "add at=OFFSET", "请加上 at=偏移")
ERR(place_outside, "E084", Lerror, "`{1}` does not fit into the launch's shared memory", "`{1}` 超出了此次启动的共享内存",
    "it takes bytes {2}..{3} of {4}, aligned to {5}", "它占用第 {2}..{3} 字节，共 {4} 字节，对齐 {5}",
    "raise shared=, or move it", "请增大 shared=，或移动它")
ERR(map_shape, "E085", Lerror, "the map of `{1}` does not fit its shape", "`{1}` 的 map 与其形状不符",
    "{2}", "{2}", "a map in memory has the dimensions of its buffer, a map of registers as many entries as there are registers",
    "内存 map 的各维与缓冲区相同，寄存器 map 的槽数与缓冲区相同")
ERR(machine_limit, "E086", Lerror, "{1} has no room for this launch", "{1} 容纳不下此次启动",
    "{2}: {3}, the limit is {4}", "{2}：{3}，上限为 {4}",
    "use less of it", "请减少用量")
ERR(block_size, "E089", Lerror, "`{1}` is too large for a block of threads", "`{1}` 对一个线程块来说过大",
    "{2}, the limit is {3}", "{2}，上限为 {3}",
    "divide the work among more blocks, or into steps of a serial loop", "请将工作分给更多的块，或拆成串行循环的若干步")
/* {4} "1": it has, where that is asked for */
ERR(machine_op, "E087", Lerror, "{1} {4|uses|has no} {2}{4| only with -async=on|}", "{1} {4|仅在 -async=on 时使用|没有} {2}", "{3} needs it", "{3} 需要它",
    "choose another machine, {4|that option, |}or another way", "请选择其他机器{4|、该选项|}，或换一种写法")
ERR(role_warps, "E088", Lerror, "a role of threads {1}..{2} is not made of whole warps", "线程 {1}..{2} 的角色不是由完整的 warp 组成",
    "warps of {3} have {4} threads, the block has {5}", "{3} 的 warp 有 {4} 个线程，块中有 {5} 个",
    "begin and end roles at warp boundaries", "请让角色以 warp 为界")
/* Programs between two passes: parse_handover.c, core/lower/lower.c, core/lower/resume.c. */
ERR(plan_wrong, "E950", Lerror, "`{1}` of this plan does not fit", "这个计划的 `{1}` 不符合要求",
    "it is {2}; needed: {3}", "其值为 {2}；需要：{3}",
    "compare with what `--ir-lower MACHINE:..PASS` prints", "请对照 `--ir-lower MACHINE:..PASS` 的输出")
ERR(plan_place, "E951", Lerror, "`{1}` has no place here", "`{1}` 不能写在此处",
    "a plan stands in front of its statement, or behind the name that it is of, in a program between two passes",
    "计划写在所属语句之前或所属名字的声明之后，且只用于两个 pass 之间的程序",
    "move it there; the kernel's line ends in `machine NAME after PASS`", "请移到该处；kernel 行应以 `machine 机器名 after PASS` 结尾")
ERR(pass_unknown, "E952", Lerror, "no pass is called `{1}`", "没有名为 `{1}` 的 pass",
    "passes, in order: {2}", "按顺序有：{2}",
    "`PASS` and `..PASS` lower up to it, `=PASS` runs it alone, `PASS..` from it on",
    "`PASS` 和 `..PASS` 运行到它为止，`=PASS` 只运行它，`PASS..` 从它开始运行")
ERR(pass_order, "E953", Lerror, "`{1}` does not come next", "接下来不是 `{1}`",
    "the program stands behind `{2}`", "程序位于 `{2}` 之后",
    "begin with `{3}`: `--ir-lower {4}:{3}..`", "请从 `{3}` 开始：`--ir-lower {4}:{3}..`")
ERR(pass_machine, "E954", Lerror, "this program is lowered for another machine", "这个程序是为另一种机器变换的",
    "it is between two passes for {1}, not {2}", "它处于 {1} 的两个 pass 之间，而不是 {2}",
    "write `--ir-lower {1}:..`", "请写 `--ir-lower {1}:..`")
ERR(pass_plan, "E955", Lerror, "`{1}` needs a line `{2}` here", "`{1}` 需要在此处有 `{2}` 行",
    "the pass `{3}` leaves it", "它由 pass `{3}` 留下",
    "add it; `--ir-lower {4}:..{3}` prints such lines", "请补上；`--ir-lower {4}:..{3}` 会输出这样的行")
ERR(pass_between, "E956", Lerror, "this program stands between two passes of lowering", "这个程序处于两个 pass 之间",
    "behind `{1}` for {2}", "位于 {2} 的 `{1}` 之后",
    "lower it to the end first: `--ir-lower {2} --ir-check FILE`", "请先变换到底：`--ir-lower {2} --ir-check FILE`")
ERR(pass_text, "E957", Lerror, "`{1}` cannot go on from this program", "`{1}` 无法从这个程序继续",
    "{2}", "{2}",
    "compare it with what the passes before leave: `--ir-lower {3}:..{4}`", "请对照前面的 pass 留下的内容：`--ir-lower {3}:..{4}`")
ERR(pass_none, "E958", Lerror, "no pass is left for `{1}`", "没有剩下的 pass 可供 `{1}` 运行",
    "the program stands behind `{2}`", "程序位于 `{2}` 之后",
    "give the tile program, or what `--ir-lower MACHINE:..PASS` prints", "请提供分块程序，或 `--ir-lower MACHINE:..PASS` 的输出")
/* {1} the function of the user's own C, {2} arguments, {3} at most */
ERR(extern_many, "E907", Lerror, "T.call_extern calls `{1}` with {2} values", "T.call_extern 以 {2} 个值调用 `{1}`",
    "at most {3} are possible", "最多可以有 {3} 个", "", "")
ERR(extern_unused, "E908", Lerror, "the value of `{1}` is not used, so that it is not called", "`{1}` 的返回值未被使用，因此不会被调用",
    "T.call_extern with a type is a value, like any expression", "带类型的 T.call_extern 是一个值，与其他表达式一样",
    "store it: x[0] = T.call_extern(\"int32\", ..)", "请保存它：x[0] = T.call_extern(\"int32\", ..)")
