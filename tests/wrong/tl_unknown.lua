local a = tl.fourier_transform(1)
