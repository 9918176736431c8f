/* Python printed as the dialect by `moontile convert`: E1180 to E1199.  See errs.h. */
ERR(py_convert_name, "E1180", Lerror, "not converted: `{1}` has no counterpart in the dialect", "未转换：方言中没有与 `{1}` 对应的写法", "", "",
    "write by hand what it does, or run the Python file itself", "请手工写出它的作用，或直接运行 Python 文件")
ERR(py_convert_form, "E1181", Lerror, "not converted: {1} has no counterpart in the dialect", "未转换：方言中没有与{1}对应的写法", "", "",
    "write by hand what it does, or run the Python file itself", "请手工写出它的作用，或直接运行 Python 文件")
ERR(py_convert_index, "E1182", Lerror, "not converted: is `{1}` a list, whose indices begin at 1 in Lua, or a tensor, whose begin at 0?",
    "未转换：`{1}` 是列表（Lua 中下标从 1 开始）还是张量（下标从 0 开始）？", "", "", "annotate it: `{1}: list` or `{1}: torch.Tensor`",
    "请加上类型注解：`{1}: list` 或 `{1}: torch.Tensor`")
ERR(py_convert_lost, "E1183", Lerror, "not converted: `{1}` was not converted either", "未转换：`{1}` 也未转换", "", "",
    "write `{1}` by hand first", "请先手工写出 `{1}`")
ERR(py_convert_choice, "E1184", Lerror, "not converted: `{1}` may be None or False, and Lua's `c and a or b` would go on to b then",
    "未转换：`{1}` 可能是 None 或 False，此时 Lua 的 `c and a or b` 会取 b", "", "", "write it as an `if` statement",
    "请写成 `if` 语句")
ERR(py_convert_power, "E1185", Lerror, "not converted: `{1}` may be an integer power, and Lua's `^` gives a float",
    "未转换：`{1}` 可能是整数的幂，而 Lua 的 `^` 得到浮点数", "", "", "write the product, or 1 << n", "请写成乘积，或 1 << n")
ERR(py_convert_loopvar, "E1186", Lerror, "not converted: `{1}` is read behind its loop, where Lua has no such variable",
    "未转换：`{1}` 在循环之后被读取，而 Lua 中它已不存在", "", "", "keep the last value in another variable",
    "请把最后的值存入另一个变量")
ERR(py_convert_argument, "E1187", Lerror, "not converted: the argument `{1}` of `{2}` has no counterpart in the dialect",
    "未转换：方言中没有与 `{2}` 的参数 `{1}` 对应的写法", "", "", "leave it out, or write by hand what it does", "请去掉它，或手工写出它的作用")
ERR(py_convert_truth, "E1188", Lwarning, "`{1}` is taken as True or False: in Lua 0, \"\" and {} are true too",
    "`{1}` 按 True 或 False 处理：在 Lua 中 0、\"\" 和 {} 也为真", "", "", "where it may be a number write {1} != 0",
    "若它可能是数，请写 {1} != 0")
ERR(py_convert_value, "E1189", Lerror, "not converted: `{1}` has another value in Lua when its left side is 0, \"\" or empty",
    "未转换：当 `{1}` 的左侧是 0、\"\" 或为空时，它在 Lua 中的值不同", "", "", "compare explicitly: x if x != 0 else y",
    "请明确比较：x if x != 0 else y")
ERR(py_convert_equal, "E1190", Lerror, "not converted: Lua compares the two tables of `{1}` by identity", "未转换：Lua 比较 `{1}` 两侧的表时，只看是否为同一个表", "",
    "", "compare their elements", "请逐个比较元素")
