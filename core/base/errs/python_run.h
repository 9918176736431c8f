/* What Python programs raise while they run: E1050 to E1149.  {1} is Python's own last line, "TypeError:
 * unsupported operand type(s) for +: 'int' and 'str'"; lua/python/exc.lua says which class has which row.  See errs.h. */
ERR(py_raised, "E1050", Lerror, "{1}", "{1}", "", "", "", "")
ERR(py_type, "E1051", Lerror, "{1}", "{1}", "", "",
    "print type(x) of the values of this line", "请打印这一行各个值的 type(x)")
ERR(py_operands, "E1052", Lerror, "{1}", "{1}", "", "",
    "convert one side: int(x), float(x), str(x)", "请转换其中一侧：int(x)、float(x)、str(x)")
ERR(py_zero, "E1053", Lerror, "{1}", "{1}", "the divisor is 0", "除数为 0",
    "test it before: `x / n if n else 0`", "请先判断：`x / n if n else 0`")
ERR(py_name, "E1054", Lerror, "{1}", "{1}", "no assignment, import or def gives it a value",
    "没有任何赋值、import 或 def 定义过它", "assign it before this line, or import it", "请在此行之前赋值，或导入它")
ERR(py_name_near, "E1055", Lerror, "{1}", "{1}", "", "", "write `{2}`", "请写成 `{2}`")
ERR(py_name_import, "E992", Lerror, "{1}", "{1}", "no assignment, import or def gives it a value",
    "没有任何赋值、import 或 def 定义过它", "write `{2}` before this line", "请在此行之前写 `{2}`")
ERR(py_unbound, "E1056", Lerror, "{1}", "{1}", "assigned elsewhere in this function, so it is local",
    "在函数的其他地方被赋值，因此是局部变量",
    "assign it before, or declare it `global` or `nonlocal`", "请先赋值，或用 `global`、`nonlocal` 声明")
ERR(py_attribute, "E1057", Lerror, "{1}", "{1}", "", "",
    "dir(x) lists what it has", "dir(x) 列出它的全部属性")
ERR(py_attribute_near, "E1058", Lerror, "{1}", "{1}", "", "", "write `{2}`", "请写成 `{2}`")
ERR(py_attribute_names, "E1059", Lerror, "{1}", "{1}", "", "", "it has {2}", "它有 {2}")
ERR(py_index, "E1060", Lerror, "{1}", "{1}", "", "",
    "indices go from 0 to len(x) - 1, or from -len(x) to -1", "索引从 0 到 len(x) - 1，或从 -len(x) 到 -1")
ERR(py_key, "E1061", Lerror, "{1}", "{1}", "the dict has no such key", "字典中没有这个键",
    "d.get(key, default) gives a value where there is none", "d.get(key, default) 在没有该键时返回默认值")
ERR(py_value, "E1062", Lerror, "{1}", "{1}", "", "", "", "")
ERR(py_unpack, "E1063", Lerror, "{1}", "{1}", "", "",
    "write as many names as there are values, or `*rest` for the others", "请使左侧名称的个数与值的个数一致，或用 `*rest` 接收其余的值")
ERR(py_args, "E1064", Lerror, "{1}", "{1}", "", "", "it is {2}", "它的签名是 {2}")
ERR(py_call, "E1065", Lerror, "{1}", "{1}", "", "",
    "only functions, methods and classes can be called; has the name been assigned something else?",
    "只有函数、方法和类可以调用；这个名称是否被赋了别的值？")
ERR(py_iter, "E1066", Lerror, "{1}", "{1}", "", "",
    "loop over a list, or over range(n)", "请遍历列表，或 range(n)")
ERR(py_hash, "E1067", Lerror, "{1}", "{1}", "it can change, so it is no key of a dict or set",
    "它是可变对象，不能作字典的键或集合的元素", "use a tuple or a frozenset", "请用元组或 frozenset")
ERR(py_assert, "E1068", Lerror, "{1}", "{1}", "this condition does not hold", "这个条件不成立", "", "")
ERR(py_overflow, "E1069", Lerror, "{1}", "{1}", "", "",
    "use a float: float(x)", "请用浮点数：float(x)")
ERR(py_recursion, "E1070", Lerror, "{1}", "{1}", "", "",
    "end the recursion earlier, or write a loop", "请更早结束递归，或改写为循环")
ERR(py_stop, "E1071", Lerror, "{1}", "{1}", "the iterator is at its end", "迭代器已到末尾",
    "next(it, default) gives a value then", "next(it, default) 会在此时返回默认值")
ERR(py_import, "E1072", Lerror, "{1}", "{1}", "", "", "", "")
/* {2} the module, {3} a folder */
ERR(py_import_around, "E910", Lerror, "{1}", "{1}", "`{2}` stands in {3}, which is not searched", "`{2}` 位于 {3}，该目录不在搜索范围内",
    "run the program from there, or with PYTHONPATH={3}", "请在该目录中运行程序，或设置 PYTHONPATH={3}")
ERR(py_import_net, "E1083", Lerror, "{1}", "{1}", "programs open no connections here", "这里的程序不能建立网络连接",
    "fetch the file beforehand, `curl -O URL`, and read it: open(path), numpy.load(path)", "请事先下载文件：`curl -O URL`，再读取它：open(path)、numpy.load(path)")
ERR(py_import_near, "E1073", Lerror, "{1}", "{1}", "", "", "write `{2}`", "请写成 `{2}`")
ERR(py_import_names, "E1074", Lerror, "{1}", "{1}", "", "", "there are {2}", "可用的有 {2}")
ERR(py_import_many, "E993", Lerror, "{1}", "{1}", "", "", "`import {2}`, then `dir({2})` lists its names",
    "`import {2}` 之后，`dir({2})` 列出它的全部名称")
ERR(py_new_axis, "E995", Lerror, "{1}", "{1}", "", "",
    "in T.Parallel give an index for each dimension: A[i] + B[j]; T.reshape views a buffer in another shape",
    "在 T.Parallel 中为每一维各写一个下标：A[i] + B[j]；T.reshape 以另一形状查看缓冲区")
ERR(python_nofile, "E964", Lerror, "cannot read {1}", "无法读取 {1}", "", "",
    "tl.python takes a file's path: tl.python \"kernels/gemm.py\"", "tl.python 接受文件路径：tl.python \"kernels/gemm.py\"")
ERR(py_os, "E1075", Lerror, "{1}", "{1}", "", "", "look at the path and its permissions", "请检查路径及其权限")
/* {1} 1: a generator; 2: a class */
ERR(py_left, "E996", Lnote, "{1|a generator was left within its `try` or `with`|`__del__` is not run}", "{1|生成器停在它的 `try` 或 `with` 之内|`__del__` 不会被执行}",
    "{1|what it does last runs now, where the program ends; CPython runs it with the last reference|nothing here knows when the last reference to an object goes}",
    "{1|其收尾部分在程序结束时才执行；CPython 在最后一个引用消失时执行|此处无法得知对象的最后一个引用何时消失}",
    "{1|call its close() where it is to end, or go over it with `for`|give the class a method close() and call it, or use `with` and __exit__}",
    "{1|请在应当结束之处调用它的 close()，或用 `for` 遍历它|请为该类定义 close() 并调用它，或使用 `with` 与 __exit__}")
