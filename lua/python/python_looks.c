/* stub */
#include "ast.h"
enum PyLooks py_looks(const char *src, size_t n) { (void)src; (void)n; return PyMaybe; }
