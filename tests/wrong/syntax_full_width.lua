local a = tl.zeros（{4}）
