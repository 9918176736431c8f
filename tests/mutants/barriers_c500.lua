-- Each barrier of each example on c500 is needed.
dofile "lib/barriers.lua" "c500"
