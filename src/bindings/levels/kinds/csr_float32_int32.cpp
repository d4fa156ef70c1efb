#include "compiled.hpp"

namespace rosenblatt {

template struct Kind<Csr<float, std::int32_t>>;

}  // namespace rosenblatt
