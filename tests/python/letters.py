# Texts beyond ASCII: case and letters; cutting.
for s in ['é', 'ÀÉ', 'straße', 'élan vital', 'éa', 'Ω ω', 'привет МИР', 'Łódź', "it's o'neil", 'a1b2', '变x', '变', 'Ñandú Ñ', 'ÿ', 'žluťoučký', '3a', 'ABC', 'abc', 'Abc Def', 'aBC', '']:
    print(s.upper(), s.lower(), s.title(), s.capitalize(), s.swapcase(), s.casefold(), s.isupper(), s.islower(), s.istitle(), s.isalpha(), s.isalnum(), s.isidentifier())
print([c.isalpha() for c in ['—', '×', '²', 'ª', '。', '、', 'あ', 'ア', 'ー', '😀', '€', '１']])
print('  x y '.rsplit(None, 1), '  x'.rsplit(None, 1), ' x y z '.rsplit(None, 2), ' a b '.split(None, 1), 'a'.rsplit(None, 1), ''.rsplit(None, 1))
print('aXb'.replace('', '-', 1), 'ab'.replace('', '-'), 'ab'.replace('', '-', 2), 'ab'.replace('', '-', 3), ''.replace('', 'x'), ''.replace('', 'x', 0))
