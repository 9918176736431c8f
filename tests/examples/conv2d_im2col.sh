"$MOONTILE" ../../lua/examples/conv2d_im2col.lua small
