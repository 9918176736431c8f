local 名称 = 1
