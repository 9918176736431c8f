print(1) --[[ this comment
goes on
