local a = 1
	local	b = tl.zeros2({4})
