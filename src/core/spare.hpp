// Large memory that is used again, so that the system need not clear it each time.
#pragma once

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

namespace rosenblatt {

/// Some memory and its size.
struct Block {
    void* memory = nullptr;
    std::size_t bytes = 0;
};

#if defined(__linux__) && defined(MADV_FREE)

/// The system clears memory that it hands out, which takes longer than to fill it; so some blocks
/// that were given back are kept for the next who asks. They are marked as free, and the system
/// takes them whenever it is short of memory.
class SpareBlocks {
  public:
    static constexpr std::size_t least = std::size_t{1} << 20;
    static constexpr std::size_t most = std::size_t{1} << 29;

    /// A block of at least so many bytes. What it holds is not said.
    Block take(std::size_t bytes) {
        if (bytes < least) return {checked(std::malloc(std::max<std::size_t>(1, bytes))), bytes};
        if (const std::unique_lock lock(guard, std::try_to_lock); lock) {
            Block* best = nullptr;
            for (Block& block : kept)
                if (bytes <= block.bytes && block.bytes / 4 <= bytes &&
                    (!best || block.bytes < best->bytes))
                    best = &block;
            if (best) return std::exchange(*best, {});
        }
        return fresh((bytes + page - 1) / page * page);
    }

    void give(Block block) noexcept {
        if (block.bytes < least) return std::free(block.memory);
        if (block.bytes <= most)
            if (const std::unique_lock lock(guard, std::try_to_lock); lock) {
                madvise(block.memory, block.bytes, MADV_FREE);
                std::swap(*std::ranges::min_element(kept, {}, &Block::bytes), block);
            }
        if (block.memory) munmap(block.memory, block.bytes);
    }

  private:
    static constexpr std::size_t page = std::size_t{1} << 21;  // so that sizes are often alike

    static void* checked(void* memory) {
        if (!memory) throw std::bad_alloc();
        return memory;
    }

    static Block fresh(std::size_t bytes) {
        void* const given =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (given == MAP_FAILED) throw std::bad_alloc();
        return {given, bytes};
    }

    std::mutex guard;
    std::array<Block, 4> kept;
};

#else

class SpareBlocks {
  public:
    Block take(std::size_t bytes) {
        void* const memory = std::malloc(std::max<std::size_t>(1, bytes));
        if (!memory) throw std::bad_alloc();
        return {memory, bytes};
    }
    void give(Block block) noexcept { std::free(block.memory); }
};

#endif

/// Those that all arrays and buffers share. Never destroyed: arrays may outlive the module.
inline SpareBlocks& spare_blocks() {
    static auto& blocks = *new SpareBlocks;
    return blocks;
}

}  // namespace rosenblatt
