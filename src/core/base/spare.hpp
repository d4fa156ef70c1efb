// Large memory that is used again, so that the system need not clear it each time.
#pragma once

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <new>
#include <vector>

namespace rosenblatt {

/// Some memory and its size.
struct Block {
    void* memory = nullptr;
    std::size_t bytes = 0;
};

#if defined(__linux__) && defined(MADV_FREE)

/// The system clears memory that it hands out, which takes longer than to fill it; so blocks that
/// were given back are kept for the next who asks. The newest stay as they are. Older ones are
/// marked as free: the system takes them whenever it is short of memory, at the price of noting
/// every page that is written again.
class SpareBlocks {
  public:
    static constexpr std::size_t least = std::size_t{1} << 20;
    static constexpr std::size_t most = std::size_t{1} << 29;
    static constexpr std::size_t most_unmarked = std::size_t{1} << 26;
    static constexpr std::size_t most_kept = std::size_t{1} << 30;

    SpareBlocks() { kept.reserve(places + 1); }

    /// A block of at least so many bytes. What it holds is not said. The system is asked for huge
    /// pages, which are quicker to write to, and to read in any order.
    Block acquire(std::size_t bytes) {
        if (bytes < least) return {checked(std::malloc(std::max<std::size_t>(1, bytes))), bytes};
        if (const std::unique_lock lock(guard, std::try_to_lock); lock) {
            auto best = kept.end();
            for (auto each = kept.begin(); each != kept.end(); ++each)
                if (bytes <= each->bytes && each->bytes / 4 <= bytes &&
                    (best == kept.end() || each->bytes <= best->bytes))
                    best = each;
            if (best != kept.end()) {
                const Block block = *best;
                kept.erase(best);
                return block;
            }
        }
        return fresh((bytes + page - 1) / page * page);
    }

    void release(Block block) noexcept {
        if (block.bytes < least) return std::free(block.memory);
        if (block.bytes <= most)
            if (const std::unique_lock lock(guard, std::try_to_lock); lock) return keep(block);
        munmap(block.memory, block.bytes);
    }

  private:
    struct Kept : Block {
        bool marked = false;
    };

    /// The newest come last. Lets go of the oldest that are too many, or too large, with it.
    void keep(Block newest) noexcept {
        kept.push_back({newest});
        std::size_t bytes = 0;
        auto first = kept.end();
        while (first != kept.begin() && kept.end() - first < places &&
               bytes + std::prev(first)->bytes <= most_kept) {
            bytes += (--first)->bytes;
            if (bytes > most_unmarked && !first->marked)
                first->marked = madvise(first->memory, first->bytes, MADV_FREE) == 0;
        }
        for (auto old = kept.begin(); old != first; ++old) munmap(old->memory, old->bytes);
        kept.erase(kept.begin(), first);
    }

    static constexpr std::size_t page = std::size_t{1} << 21;  // so that sizes are often alike

    static void* checked(void* memory) {
        if (!memory) throw std::bad_alloc();
        return memory;
    }

    static Block fresh(std::size_t bytes) {
        void* const given =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (given == MAP_FAILED) throw std::bad_alloc();
        madvise(given, bytes, MADV_HUGEPAGE);
        return {given, bytes};
    }

    std::mutex guard;
    static constexpr std::ptrdiff_t places = 8;
    std::vector<Kept> kept;
};

#else

class SpareBlocks {
  public:
    Block acquire(std::size_t bytes) {
        void* const memory = std::malloc(std::max<std::size_t>(1, bytes));
        if (!memory) throw std::bad_alloc();
        return {memory, bytes};
    }
    void release(Block block) noexcept { std::free(block.memory); }
};

#endif

/// Those that all arrays and buffers share. Never destroyed: arrays may outlive the module.
inline SpareBlocks& spare_blocks() {
    static auto& blocks = *new SpareBlocks;
    return blocks;
}

}  // namespace rosenblatt
