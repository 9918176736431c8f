-- Every literal, every escape, comments everywhere.
print(0, 1, 42, 007, 123456789012345, 9223372036854775807, 9223372036854775808)
print(0x0, 0xff, 0XFF, 0xdeadBEEF, 0xffffffffffffffff, 0x7fffffffffffffff)
print(3., .5, 3.25, 3e2, 3E2, 3e+2, 3e-2, 0.1e1, .1e1, 1.e1, 3e0)
print(0x.8p1, 0xAp2, 0X1P-2, 0x1.8p0, 0x1p+4, 0xA.8, 0x.1, 0x1.)
print(1//1, 1 // 1, 7//2, -7//2, 7.0//2)
print("a\tb\\c\"d\'e", 'a"b', "a'b", '\a\b\f\v' == "\7\8\12\11")
print("\x41\x62\u{48}\u{20AC}\u{10FFFF}" == "AbH\226\130\172\244\143\191\191", "\065\66\0067")
print("line one\
line two\
\
line four", "\z
      skipped   \z

   white", "tail\z")
print(#"\0a\0", #"\u{7FFFFFFF}", "\r\n" == "\13\10")
print([[long]], [==[with ]] and ]=] inside]==], [[
first newline is dropped]], [[

but one is kept]])
print([=[[[nested]]]=], [[]], #[[
]], [===[]==]===])
--[[ a long
comment ]] print("after a long comment") --[==[ another
]] ]=] one ]==] print("after another")
--[ not long
--[=not long
--
---
----[[ short, too
print("x" --[[in]] .. --[[side]] "y") -- tail
;;; print("semicolons");
print "call with string" print 'single' print [[long]] print [=[longer]=]
print(#{1, 2, 3; 4}, #{1, 2, 3,}, #{n = 1})
local _, __, _a1, A_1, end_, nott, andy, forx = 1, 2, 3, 4, 5, 6, 7, 8
print(_, __, _a1, A_1, end_, nott, andy, forx)
local jit, macro, prim_func, slice = 1, 2, 3, 4 -- names of the dialect are names
print(jit + macro * prim_func - slice)
print(("x"):rep(3), ("%d"):format(3), #"abc", -#"abc", - -3, not not nil, ~0, ~ ~5)
print(1 .. 2, 1 ..2, "a".."b"..'c', 2^-1, 2^3^2, -2^2, not 1 == 2)
local t = {[1]=1,[ [[x]] ]=2,["y"]=3,z=4,5;6,[-1]=7,[1.5]=8,[true]=9,f=function()return 10 end}
print(t[1], t[2], t.x, t.y, t.z, t[-1], t[1.5], t[true], t.f())
print(t [ "x" ], t . x, t
.y, t
["z"])
return
