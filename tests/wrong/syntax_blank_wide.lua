local x =　1
