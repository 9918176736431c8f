/* The element types, once.  DT(id, name, bits, class, C storage type)
 * class: B bool, I signed, U unsigned, F float.  bits is the width in memory;
 * int4 and uint4 pack two to a byte, the even element in the low nibble.
 * tfloat32 is stored as float32 whose low 13 bits are rounded away when used.
 * The order is part of the IR's binary contract: append, never reorder. */
DT(bool,  "bool",           8, B, "uint8_t")
DT(i4,    "int4",           4, I, "uint8_t")
DT(i8,    "int8",           8, I, "int8_t")
DT(i16,   "int16",         16, I, "int16_t")
DT(i32,   "int32",         32, I, "int32_t")
DT(i64,   "int64",         64, I, "int64_t")
DT(u4,    "uint4",          4, U, "uint8_t")
DT(u8,    "uint8",          8, U, "uint8_t")
DT(u16,   "uint16",        16, U, "uint16_t")
DT(u32,   "uint32",        32, U, "uint32_t")
DT(u64,   "uint64",        64, U, "uint64_t")
DT(f16,   "float16",       16, F, "uint16_t")
DT(bf16,  "bfloat16",      16, F, "uint16_t")
DT(f32,   "float32",       32, F, "float")
DT(f64,   "float64",       64, F, "double")
DT(tf32,  "tfloat32",      32, F, "float")
DT(e4m3,  "float8_e4m3fn",  8, F, "uint8_t")
DT(e5m2,  "float8_e5m2",    8, F, "uint8_t")
