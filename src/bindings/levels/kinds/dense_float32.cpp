#include "compiled.hpp"

namespace rosenblatt {

template struct Kind<Dense<float>>;

}  // namespace rosenblatt
