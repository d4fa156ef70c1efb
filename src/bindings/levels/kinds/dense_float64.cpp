#include "compiled.hpp"

namespace rosenblatt {

template struct Kind<Dense<double>>;

/// Rows of kernel values are scored as any dense rows.
template Tally Kind<DualRows>::learn(const DualRows&, const Terms&, const AnyRule&, const Borrowed&,
                                     const Walk&, const Record&);

}  // namespace rosenblatt
