/* Names, functions and loops of a Python text: E1150 to E1169.  See errs.h. */
ERR(py_duplicate_argument, "E1150", Lerror, "duplicate argument '{1}' in function definition",
    "函数定义中参数 '{1}' 重复", "", "", "give each parameter a name of its own", "请让每个参数有不同的名字")
ERR(py_parameter_global, "E1151", Lerror, "name '{1}' is parameter and {2}",
    "名字 '{1}' 既是参数又声明为 {2}", "", "", "remove the `{2}` or rename the parameter",
    "请去掉 `{2}`，或给参数改名")
ERR(py_global_late, "E1152", Lerror, "name '{1}' is assigned to before {2} declaration",
    "名字 '{1}' 在 {2} 声明之前被赋值", "", "", "put `{2} {1}` at the top of the function",
    "请把 `{2} {1}` 放在函数开头")
ERR(py_nonlocal_module, "E1153", Lerror, "nonlocal declaration not allowed at module level",
    "模块层不允许 nonlocal 声明", "", "", "remove it: the module's names need no declaration here",
    "请去掉它：在这里模块的名字无需声明")
ERR(py_nonlocal_none, "E1154", Lerror, "no binding for nonlocal '{1}' found",
    "找不到 nonlocal '{1}' 所指的变量", "", "", "assign `{1}` in a function around this one, or say `global {1}`",
    "请在外层函数中给 `{1}` 赋值，或改用 `global {1}`")
ERR(py_star_inside, "E1155", Lerror, "import * only allowed at module level",
    "import * 只能用在模块层", "", "", "name what you need: `from {1} import a, b`", "请写明所需的名字：`from {1} import a, b`")
ERR(py_outside_function, "E1156", Lerror, "'{1}' outside function", "'{1}' 在函数之外", "", "",
    "put it into a `def`", "请把它放进 `def`")
ERR(py_outside_loop, "E1157", Lerror, "'{1}' outside loop", "'{1}' 在循环之外", "", "",
    "put it into a `for` or `while`", "请把它放进 `for` 或 `while`")
ERR(py_star_here, "E1158", Lerror, "can't use starred expression here", "此处不能使用带星号的表达式",
    "", "", "write [*a] or (*a,) for its items", "要展开其中的元素，请写 [*a] 或 (*a,)")
ERR(py_deep, "E1159", Lerror, "too many nested calls and parentheses", "嵌套的调用与括号过多",
    "more than {1}", "超过 {1} 层", "give a part of the expression a name", "请给表达式的一部分起个名字")
ERR(py_loop_else, "E1160", Lerror, "a kernel's loop has an `else`, which TileLang drops without a word",
    "内核的循环带有 `else`，TileLang 会悄悄丢掉它", "", "", "put what it does behind the loop", "请把其中的语句放到循环之后")
ERR(py_kernel_yield, "E1165", Lerror, "`yield` in a kernel", "内核中的 `yield`",
    "a kernel is traced once, from its first line to its last", "内核从第一行到最后一行只追踪一次",
    "write `return`, or a generator beside the kernel, which its loops may go through", "请写 `return`，或在内核之外写生成器，内核的循环可以遍历它")
ERR(py_many_names, "E1161", Lerror, "too many parameters and local variables in one function", "一个函数的参数与局部变量过多",
    "a function has room for {1} of them", "一个函数最多容纳 {1} 个", "keep some in a list or a dict, or split the function up",
    "请把其中一些放进列表或字典，或拆分这个函数")
ERR(py_long_block, "E1162", Lerror, "this block is too long", "这个代码块过长", "", "",
    "move a part of it into a function of its own", "请把其中一部分移到单独的函数中")
ERR(py_complex, "E1163", Lerror, "this statement is too complex", "这条语句过于复杂", "", "",
    "give a part of it a name of its own", "请给其中一部分起个名字")
ERR(py_long_function, "E968", Lerror, "this program has a function that is too long", "此程序中有一个函数过长",
    "its loops and local variables take more than 32767 places in all, each `for` takes 5 or more", "其循环与局部变量共占用超过 32767 个位置，每个 `for` 至少占 5 个",
    "move a part of it into a function of its own (in a kernel: a T.macro), or write what repeats once, in a loop",
    "请把其中一部分移到单独的函数中（内核里用 T.macro），或用循环只写一次重复的部分")
ERR(py_walrus_part, "E1164", Lerror, "`{1} := ..` stands in a part of an expression that may not be evaluated",
    "`{1} := ..` 位于表达式中不一定求值的部分", "TileLang makes a function of that part, in which alone `{1}` has the value",
    "TileLang 会把这一部分变成单独的函数，`{1}` 只在其中有该值", "assign it in a statement of its own in front: {1} = ..",
    "请在前面用单独的语句赋值：{1} = ..")
