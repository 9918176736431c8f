local a = tl.arange(12):reshape({5, 3})
