from benchmarks.timing import bench_kernel


class BenchmarkBase:
    def compare(self, functors, *inputs):
        return {tag: bench_kernel(f, inputs) for tag, f in functors.items()}
