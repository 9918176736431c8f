local f = assert(io.open("no/such/file"))
