#include "compiled.hpp"

namespace rosenblatt {

template struct Kind<Csr<double, std::int64_t>>;

}  // namespace rosenblatt
