#include "compiled.hpp"

namespace rosenblatt {

template struct Kind<Csr<double, std::int32_t>>;

}  // namespace rosenblatt
