#include <cute/tensor.hpp>
