"""A suite of five kernels in the form of public ones: classes without a main."""
