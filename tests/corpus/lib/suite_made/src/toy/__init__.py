"""A suite of three kernels in the form of public ones: classes without a main."""
