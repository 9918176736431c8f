# string.Template: placeholders that are missing or wrong, with substitute and safe_substitute.
from string import Template
t = Template("$a and ${b} $$ $c")
print(t.safe_substitute(a=1))
try:
    print(t.substitute(a=1))
except KeyError as e:
    print("KeyError", e)
print(Template("$x").safe_substitute({}))
print(Template("$x-${y}z$x").substitute({"x": 1}, y=[2]))
print(Template("$a $b").safe_substitute({"a": 3}))
print(Template("${a}b $a_b $$a").safe_substitute(a="%1"))
for bad in ("$", "cost $5", "a\nb $ c", "${", "${1}", "${a", "x$"):
    try:
        print(Template(bad).substitute(a=1))
    except ValueError as e:
        print("ValueError", e)
    print(repr(Template(bad).safe_substitute(a=1)))
