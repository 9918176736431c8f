-- Each barrier of each example on sm_80 is needed.
dofile "lib/barriers.lua" "sm_80"
