# TIR, as TileLang's parser makes it, run element by element: int32 and bool, one thread.
#
#     Run(prim_func, {"A": [..], "B": [..]})      what the function writes is in the lists
#
# Unknown: what the program gives is nobody's promise (an element that nothing wrote, a division by 0, too long).


class Break(Exception):
    pass


class Continue(Exception):
    pass


class Unknown(Exception):
    pass


def wrap(v):
    v &= 0xFFFFFFFF
    return v - (1 << 32) if v >> 31 else v


BINARY = {
    "Add": lambda a, b: wrap(a + b), "Sub": lambda a, b: wrap(a - b), "Mul": lambda a, b: wrap(a * b),
    "Min": min, "Max": max, "EQ": lambda a, b: int(a == b), "NE": lambda a, b: int(a != b),
    "LT": lambda a, b: int(a < b), "LE": lambda a, b: int(a <= b),
    "GT": lambda a, b: int(a > b), "GE": lambda a, b: int(a >= b),
}


class Run:
    def __init__(self, func, data):
        self.memory, self.names, self.steps = {}, {}, 0
        for p in func.params:
            b = func.buffer_map[p]
            self.memory[b.data] = data[b.name.replace("_handle", "")]
        self.statement(func.body)

    def element(self, buffer, indices):
        i = 0
        for x, n in zip(indices, buffer.shape):
            v = self.value(x)
            if not 0 <= v < int(n):
                raise Unknown("out of bounds")
            i = i * int(n) + v
        return i

    def of(self, buffer):
        if buffer.data not in self.memory:
            n = 1
            for x in buffer.shape:
                n *= int(x)
            self.memory[buffer.data] = [None] * n
        return self.memory[buffer.data]

    def step(self):
        self.steps += 1
        if self.steps > 20000:
            raise Unknown("too long")

    def turn(self, body):
        """A turn of a loop; False: it was the last."""
        self.step()
        try:
            self.statement(body)
        except Continue:
            pass
        except Break:
            return False
        return True

    def statement(self, s):
        self.step()
        kind = type(s).__name__
        if kind == "SBlockRealize":
            self.statement(s.block)
        elif kind == "SBlock":
            for b in s.alloc_buffers:
                self.memory.pop(b.data, None)
            self.statement(s.body)
        elif kind == "SeqStmt":
            for x in s.seq:
                self.statement(x)
        elif kind == "Bind":
            self.names[s.var] = 0 if "launch_thread" in str(s.value) else self.value(s.value)
        elif kind == "BufferStore":
            v = self.value(s.value)
            self.of(s.buffer)[self.element(s.buffer, s.indices)] = wrap(v)
        elif kind == "For":
            lowest = self.value(s.min)
            for i in range(lowest, lowest + self.value(s.extent)):
                self.names[s.loop_var] = i
                if not self.turn(s.body):
                    break
        elif kind == "While":
            while self.value(s.condition) and self.turn(s.body):
                pass
        elif kind == "IfThenElse":
            if self.value(s.condition):
                self.statement(s.then_case)
            elif s.else_case is not None:
                self.statement(s.else_case)
        elif kind == "AttrStmt":
            self.statement(s.body)
        elif kind == "Evaluate":
            self.evaluate(s.value)
        else:
            raise Unknown("statement " + kind)

    def evaluate(self, v):
        name = v.op.name if type(v).__name__ == "Call" else ""
        if "continue_loop" in name:
            raise Continue
        if "break_loop" in name:
            raise Break
        self.value(v)

    def value(self, e):
        kind = type(e).__name__
        if kind == "IntImm":
            return int(e.value)
        if isinstance(e, (int, bool)):
            return int(e)
        if kind == "Var":
            if e not in self.names:
                raise Unknown("a name without value")
            return self.names[e]
        if kind == "BufferLoad":
            v = self.of(e.buffer)[self.element(e.buffer, e.indices)]
            if v is None:
                raise Unknown("an element that nothing wrote")
            return v
        if kind == "Cast":
            v = self.value(e.value)
            return int(v != 0) if e.dtype == "bool" else wrap(v)
        if kind == "Call" and e.op.name.endswith("if_then_else"):
            return self.value(e.args[1] if self.value(e.args[0]) else e.args[2])
        if kind == "And":
            return int(self.value(e.a) != 0 and self.value(e.b) != 0)
        if kind == "Or":
            return int(self.value(e.a) != 0 or self.value(e.b) != 0)
        if kind == "Not":
            return int(not self.value(e.a))
        if kind in BINARY:
            return BINARY[kind](self.value(e.a), self.value(e.b))
        raise Unknown("expression " + kind)
