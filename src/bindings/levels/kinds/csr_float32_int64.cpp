#include "compiled.hpp"

namespace rosenblatt {

template struct Kind<Csr<float, std::int64_t>>;

}  // namespace rosenblatt
