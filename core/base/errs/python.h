/* Messages of the reader of Python (lua/python/): E1000 to E1049.  See errs.h. */
ERR(pysyn_token, "E1000", Lerror, "expected {1} after {2}, saw {3}", "{2} 之后应为 {1}，这里却是 {3}", "", "", "", "")
ERR(pysyn_expr, "E1001", Lerror, "expected an expression after {1}, saw {2}", "{1} 之后应为表达式，这里却是 {2}", "", "", "", "")
ERR(pysyn_statement, "E1002", Lerror, "{1} cannot start a statement", "语句不能以 {1} 开头", "", "", "", "")
ERR(pysyn_end, "E1003", Lerror, "expected the end of the statement after {1}, saw {2}", "{1} 之后语句应已结束，这里却是 {2}",
    "", "", "write one statement a line, or a sign between the two", "请每行写一条语句，或在两者之间补上运算符")
ERR(pysyn_comma, "E1004", Lerror, "expected {1} after {2}, saw {3}", "{2} 之后应为 {1}，这里却是 {3}",
    "perhaps you forgot a comma", "也许漏了逗号", "separate the two with `,`", "请用 `,` 分隔这两项")
ERR(pysyn_unclosed, "E1005", Lerror, "{1} was never closed", "{1} 没有闭合", "", "", "write {2} where it ends", "请在它结束的地方写上 {2}")
ERR(pysyn_mismatch, "E1006", Lerror, "closing {1} does not match {2}, opened on line {3}", "{1} 与第 {3} 行打开的 {2} 不匹配",
    "", "", "close {2} first, or remove one of the two", "请先闭合 {2}，或去掉其中一个")
ERR(pysyn_unmatched, "E1007", Lerror, "{1} closes nothing that is open", "{1} 没有对应的开头", "", "",
    "remove it, or write the bracket that it closes", "请去掉它，或补上与它对应的括号")
ERR(pysyn_colon, "E1008", Lerror, "expected `:` after {1}, saw {2}", "{1} 之后应为 `:`，这里却是 {2}", "", "",
    "a line that begins with {3} ends in `:`", "以 {3} 开头的行以 `:` 结尾")
ERR(pysyn_block, "E1009", Lerror, "expected an indented block after {1} on line {2}", "第 {2} 行的 {1} 之后应为缩进的代码块", "", "",
    "indent the lines that belong to it; an empty block is `pass`", "请缩进属于它的各行；空的代码块写 `pass`")
ERR(pysyn_indent, "E1010", Lerror, "unexpected indent", "意外的缩进", "this line is indented more, and nothing opens a block",
    "这一行缩进更多，但前面没有开始代码块的语句", "begin it in column {1}, as the line before", "请与前一行对齐，从第 {1} 列开始")
ERR(pysyn_unindent, "E1011", Lerror, "unindent does not match any outer indentation level", "缩进与外层任何一级都不一致",
    "this line begins in column {1}, the blocks around it in {2}", "这一行从第 {1} 列开始，外层的代码块从第 {2} 列开始",
    "begin it in one of these columns", "请从其中一列开始")
ERR(pysyn_tabs, "E1012", Lerror, "inconsistent use of tabs and spaces in indentation", "缩进中制表符与空格混用不一致",
    "how far this line is indented depends on the width of a tab", "这一行的缩进量取决于制表符的宽度",
    "indent all lines with spaces", "请全部用空格缩进")
ERR(pysyn_equals, "E1013", Lerror, "expected {1} after {2}, saw `=`", "{2} 之后应为 {1}，这里却是 `=`", "", "",
    "write `==` to compare, or `:=` to assign within an expression", "比较请写 `==`，在表达式中赋值请写 `:=`")
ERR(pysyn_assign, "E1014", Lerror, "cannot assign to {1}", "不能给 {1} 赋值", "", "", "{2}", "{2}")
ERR(pysyn_delete, "E1015", Lerror, "cannot delete {1}", "不能删除 {1}", "", "", "{2}", "{2}")
ERR(pysyn_augmented, "E1016", Lerror, "{1} is an illegal expression for augmented assignment", "{1} 不能用于增量赋值", "", "",
    "before a sign such as `+=` stands one name, attribute or element", "`+=` 这类符号之前只能是一个名称、属性或元素")
ERR(pysyn_annotated, "E1017", Lerror, "{1} cannot have a type behind `:`", "{1} 之后不能用 `:` 标注类型", "", "", "{2}", "{2}")
ERR(pysyn_string, "E1018", Lerror, "unterminated string literal", "字符串没有结束", "no closing {1} on this line", "这一行没有结尾的 {1}",
    "close it, or write three quotes for a text of several lines", "请补上结尾的引号；多行文本请用三个引号")
ERR(pysyn_triple, "E1019", Lerror, "unterminated triple-quoted string literal", "三引号字符串没有结束",
    "it begins here, and no {1} follows up to line {3}", "它从这里开始，直到第 {3} 行也没有 {1}", "write {1} where it ends",
    "请在它结束的地方写上 {1}")
ERR(pysyn_fstring, "E1020", Lerror, "f-string: {1}", "f-string：{1}", "", "", "{2}", "{2}")
ERR(pysyn_escape, "E1021", Lerror, "invalid escape sequence {1}", "转义序列 {1} 无效", "", "", "{2}", "{2}")
ERR(pysyn_number, "E1022", Lerror, "malformed number {1}", "数字 {1} 的写法有误", "", "", "{2}", "{2}")
ERR(pysyn_bigint, "E1023", Lerror, "the integer {1} has more than 64 bits", "整数 {1} 超过 64 位",
    "integers reach from -9223372036854775808 to 9223372036854775807", "整数的范围是 -9223372036854775808 到 9223372036854775807",
    "write a smaller one, or a float: 1e20", "请写更小的数，或用浮点数：1e20")
ERR(pysyn_complex, "E1024", Lerror, "{1}: there are no complex numbers here", "{1}：这里没有复数", "", "",
    "keep the real and the imaginary part in two floats", "请用两个浮点数分别表示实部和虚部")
ERR(pysyn_bytes, "E1025", Lerror, "bytes can only contain ASCII literal characters", "bytes 中只能写 ASCII 字符", "", "",
    "write it as \\xNN, or take a string's .encode()", "请写成 \\xNN，或使用字符串的 .encode()")
ERR(pysyn_char, "E1026", Lerror, "invalid character {1} ({2})", "无效的字符 {1}（{2}）", "", "",
    "names are made of letters, digits and _; other characters belong in strings", "名称由字母、数字和 _ 组成；其他字符只能写在字符串里")
ERR(pysyn_utf8, "E1027", Lerror, "the byte {1} is not UTF-8", "字节 {1} 不是 UTF-8", "", "", "save the file as UTF-8", "请把文件存为 UTF-8")
ERR(pysyn_continued, "E1028", Lerror, "expected the end of the line after the line continuation character, saw {1}", "续行符之后应为行尾，这里却是 {1}",
    "`\\` continues a line only as its last character", "`\\` 只有在行尾才表示续行", "remove what follows it, or the `\\`",
    "请去掉它后面的内容，或去掉 `\\`")
ERR(pysyn_deep, "E1029", Lerror, "nested more than {1} levels deep", "嵌套超过 {1} 层", "", "", "give a part of it a name of its own",
    "请把其中一部分另起一个名称")
ERR(pysyn_unsupported, "E1030", Lerror, "{1} is not supported", "不支持 {1}", "", "", "{2}", "{2}")
ERR(pysyn_python2, "E1031", Lerror, "{1} is Python 2", "{1} 是 Python 2 的写法", "", "", "{2}", "{2}")
ERR(pysyn_foreign, "E1032", Lerror, "{1} is not Python", "Python 中没有 {1}", "", "", "{2}", "{2}")
ERR(pysyn_parameter, "E1033", Lerror, "{1}", "{1}", "", "", "{2}", "{2}")
ERR(pysyn_argument, "E1034", Lerror, "{1}", "{1}", "", "", "{2}", "{2}")
ERR(pysyn_mixed, "E1035", Lerror, "cannot mix bytes and nonbytes literals", "bytes 与普通字符串不能相邻拼接", "", "",
    "write both with `b`, or both without", "请两者都加 `b`，或都不加")
ERR(pysyn_import, "E1036", Lerror, "{1}", "{1}", "", "", "{2}", "{2}")
ERR(pysyn_try, "E1037", Lerror, "expected 'except' or 'finally' block after the `try` of line {1}, saw {2}",
    "第 {1} 行的 `try` 之后应为 'except' 或 'finally'，这里却是 {2}", "", "", "write except Exception as e: in the column of the `try`",
    "请在 `try` 的同一列写 except Exception as e:")
ERR(pysyn_star, "E1038", Lerror, "{1}", "{1}", "", "", "{2}", "{2}")
ERR(pysyn_bare, "E1039", Lerror, "default 'except:' must be last", "不带类型的 'except:' 必须放在最后", "", "",
    "put it behind the others", "请把它放到其他 except 之后")
ERR(pysyn_walrus, "E1040", Lerror, "cannot use an assignment expression {1}", "赋值表达式不能这样使用：{1}", "", "", "{2}", "{2}")
ERR(pysyn_except, "E1041", Lerror, "multiple exception types must be parenthesized", "多个异常类型必须加括号", "", "",
    "write except ({1}, ...): for several types, except {1} as e: for a name", "多个类型请写 except ({1}, ...):，命名请写 except {1} as e:")
ERR(pysyn_comp, "E1042", Lerror, "{1}", "{1}", "", "", "{2}", "{2}")
ERR(pysyn_oneline, "E1043", Lerror, "{1} cannot stand in the line of the {2}", "{1} 不能与 {2} 写在同一行", "", "",
    "begin an indented line behind the `:`", "请在 `:` 之后另起缩进的一行")
ERR(pysyn_blank, "E1044", Lerror, "a space character that Python does not know ({1})", "Python 不认识的空白字符（{1}）", "", "",
    "it looks like a space and often comes with copied text: replace it with an ordinary one", "它看起来像空格，常随复制的文字而来：请改为普通空格")
ERR(pysyn_ifexp, "E1045", Lerror, "expected 'else' after 'if' expression, saw {1}", "'if' 表达式之后应为 'else'，这里却是 {1}", "", "",
    "a value chosen by `if` is written a if c else b", "用 `if` 选择值的写法是 a if c else b")
ERR(pysyn_decorator, "E1046", Lerror, "expected `def` or `class` after a decorator, saw {1}", "装饰器之后应为 `def` 或 `class`，这里却是 {1}",
    "", "", "put the decorator right before the function", "请把装饰器写在函数的正上方")
ERR(pysyn_dict, "E1047", Lerror, "{1}", "{1}", "", "", "{2}", "{2}")
ERR(pysyn_stray, "E1048", Lerror, "{1} belongs to nothing here", "这里的 {1} 没有所属的语句", "there is no {2} in its column before it",
    "之前没有与它同列的 {2}", "indent it as far as the statement that it belongs to", "请让它与所属的语句对齐")
ERR(pysyn_name, "E1049", Lerror, "expected a name after {1}, saw {2}", "{1} 之后应为名称，这里却是 {2}", "", "", "{3}", "{3}")
