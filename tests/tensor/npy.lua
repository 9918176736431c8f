-- .npy and .npz: out and in again, of every dtype; what NumPy writes; damage
local dir = os.getenv "TMP" or "/tmp"
local path = dir .. "/moontile-test.npy"
local zip = dir .. "/moontile-test.npz"
local dtypes = {"bool", "int4", "int8", "int16", "int32", "int64", "uint4", "uint8", "uint16",
  "uint32", "uint64", "float16", "bfloat16", "float32", "float64", "tfloat32", "float8_e4m3fn",
  "float8_e5m2"}
local all = {}
for _, d in ipairs(dtypes) do
  local t = tl.randint(0, 7, {3, 5}, d)
  all[d] = t
  tl.save(path, t)
  local u = tl.load(path)
  assert(u.dtype == d and tl.equal(t, u), d)
  tl.save(path, t.T[1:4])
  assert(tl.equal(t.T[1:4]:contiguous(), tl.load(path)), d .. ", a view")
end
for _, compress in ipairs {true, false} do
  tl.save(zip, all, {compress = compress})
  local n = 0
  for name, t in pairs(tl.load(zip)) do
    assert(t.dtype == name and tl.equal(t, all[name]), name)
    n = n + 1
  end
  print(n, "tensors")
end
tl.save(path, tl.from_table(2.5))
print(tl.load(path), tl.load(path).ndim)
tl.save(path, tl.zeros {0, 3})
print(tl.load(path))

local function write(s)
  local f = assert(io.open(path, "wb"))
  f:write(s)
  f:close()
end
local function npy(header, data)
  return "\x93NUMPY\1\0" .. string.pack("<s2", header) .. data
end
local function try(o)
  local ok, e = pcall(tl.load, path, o)
  if ok then return print(e.dtype, e) end
  print(e.code, e.label)
end

-- what NumPy writes: Fortran order, big endian, version 2, raw types
write(npy("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n",
  string.pack("<i2i2i2i2i2i2", 1, 2, 3, 4, 5, 6)))
try()
write(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", string.pack(">ff", 1.5, -2)))
try()
write("\x93NUMPY\2\0" .. string.pack("<s4", "{'shape': (2L,), 'descr': '|u1', 'fortran_order': False}") .. "\5\6")
try()
write(npy("{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }", "\x80\x3f"))
try()
write(npy("{'descr': '<f1', 'fortran_order': False, 'shape': (1,), }", "\x3c"))
try()
write(npy("{'descr': '<V1', 'fortran_order': False, 'shape': (1,), }", "\x38"))
try()
try {dtype = "float8_e4m3fn"}

-- hostile ones
write("")
try()
write("PK\3\4")
try()
write("\x93NUMPY\9\0\0\0")
try()
write("\x93NUMPY\1\0\xff\xff{}")
try()
write(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", "abc"))
try()
write(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999), }", ""))
try()
write(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999999999,), }", ""))
try()
write(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", ""))
try()
write(npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "abcdefgh"))
try()
write(npy("{'descr': [('x', '<f4'), ('y', '<f4')], 'fortran_order': False, 'shape': (1,), }", ""))
try()
write(npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", ""))
try()
write(npy("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }", ""))
try()
write(npy("{'descr': '<f4', 'shape': (1,), }", ""))
try()
write(npy(("{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }"):format(("1,"):rep(9)), "abcd"))
try()
os.remove(path)
try()
path = zip
write("no archive at all")
try()
local function refuse(...)
  local ok, e = pcall(...)
  print(ok, e.code)
end
refuse(tl.save, dir .. "/none/x.npy", tl.zeros {1})
refuse(tl.save, zip, {["a/b"] = tl.zeros {1}})
refuse(tl.save, path, 5)
os.remove(zip)
