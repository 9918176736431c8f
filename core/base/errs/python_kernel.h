/* Kernels written in Python: E1170 to E1179.  See errs.h. */
ERR(py_rebound, "E1170", Lerror, "`{1}` is assigned again in a loop or branch of the program",
    "`{1}` 在内核的循环或分支中再次被赋值", "it got its value outside; here it would change once, while the kernel is made",
    "它在外面已有值；这里的赋值只会在生成内核时发生一次", "declare it with T.alloc_var(dtype) and assign that",
    "请用 T.alloc_var(dtype) 声明它，再对其赋值")
ERR(py_rebound_branch, "E1177", Lwarning, "`{1}` is assigned again in a loop of the program, another branch of which reads it",
    "`{1}` 在内核的循环中再次被赋值，而循环的另一分支会读取它", "that branch always has the value from outside, as in TileLang; to Python it would be this one in the next turn",
    "与 TileLang 相同，那一分支始终使用循环外的值；按 Python 的语义，下一轮应为这里的值",
    "choose another name, or declare it with T.alloc_var(dtype) to keep the value for the next turn", "请换一个名称；若要把值保留到下一轮，请用 T.alloc_var(dtype) 声明它")
ERR(py_gone, "E1171", Lerror, "`{1}` is used behind the loop or branch of the program that gave it its value",
    "`{1}` 在内核的循环或分支中才被赋值，却在其后使用", "whether that ran is known only when the kernel does",
    "该循环或分支是否执行，只有内核运行时才知道", "declare it in front with T.alloc_var(dtype)", "请在前面用 T.alloc_var(dtype) 声明它")
ERR(py_frame_outside, "E1172", Lerror, "{1} stands in a function that is no kernel", "{1} 出现在非内核函数中", "", "",
    "decorate the function with @T.macro or @T.prim_func", "请给该函数加上 @T.macro 或 @T.prim_func")
ERR(py_option_silent, "E1174", Lnote, "`{1}` says nothing to moontile", "moontile 会忽略 `{1}`", "", "",
    "it may stay, for TileLang; -t chooses what kernels run on", "可以留给 TileLang 使用；内核在哪里运行由 -t 选择")
ERR(py_plot_svg, "E983", Lnote, "a figure is not written as {1}", "图形不以 {1} 格式写出",
    "TileLang has matplotlib draw it; here it is written as SVG", "TileLang 由 matplotlib 绘图；这里输出 SVG",
    "name the format: plot_layout(layout, formats=\"svg\")", "请指明格式：plot_layout(layout, formats=\"svg\")")
ERR(py_exit_swallows, "E1173", Lerror, "__exit__ returns True, which is not supported: the error goes on",
    "不支持 __exit__ 返回 True：错误继续向外传播", "", "", "catch it with try and except", "请用 try 与 except 捕获它")
ERR(py_logic, "E1175", Lerror, "a side of `{1}` is no truth value", "`{1}` 的一侧不是布尔值",
    "the kernel decides when it runs, and Python would give that side as the result",
    "由内核在运行时判断，而 Python 会把这一侧作为结果",
    "compare it, `x != 0`; for a choice write `x if c else y`", "请写成比较：`x != 0`；若要在两个值中选择，请写 `x if c else y`")
ERR(py_traced, "E1176", Lerror, "{1}", "{1}", "the kernel knows this value only when it runs", "内核运行时才知道这个值",
    "write T.cast(x, \"{2}\")", "请写 T.cast(x, \"{2}\")")
ERR(py_typed, "E1178", Lwarning, "`{1}: T.{2} = ..` converts nothing: `{1}` is of type {3}",
    "`{1}: T.{2} = ..` 不做类型转换：`{1}` 的类型是 {3}", "TileLang does not look at the type there",
    "TileLang 不看这里写的类型", "write {1} = T.cast(.., \"{2}\")", "请写 {1} = T.cast(.., \"{2}\")")
ERR(py_walrus_var, "E1179", Lwarning, "`{1} := ..` stores nothing in the var `{1}`: from here on the name is that expression",
    "`{1} := ..` 不会写入变量 `{1}`：从这里起，该名称就是这个表达式", "TileLang leaves := to Python",
    "TileLang 把 := 留给 Python 处理", "assign it in a statement of its own, `{1} = ..`", "请用单独的语句赋值：`{1} = ..`")
