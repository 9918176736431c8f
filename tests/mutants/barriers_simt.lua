-- Each barrier of each example on simt is needed.
dofile "lib/barriers.lua" "simt"
