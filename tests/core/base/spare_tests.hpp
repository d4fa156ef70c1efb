// Large memory that is used again, and writing past the caches.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "base/buffer.hpp"
#include "base/spare.hpp"
#include "base/streaming.hpp"
#include "base/threads.hpp"
#include "check.hpp"
#include "combine/csr_writer.hpp"

namespace core_tests {

inline void fill(Block block, int value) {
    std::fill_n(static_cast<unsigned char*>(block.memory), block.bytes,
                static_cast<unsigned char>(value));
}

inline bool holds(Block block, int value) {
    const auto* const bytes = static_cast<unsigned char*>(block.memory);
    return std::all_of(bytes, bytes + block.bytes, [&](int byte) { return byte == value; });
}

inline void test_shared_spare() {
    test("threads that take blocks and give them back at the same time share none", [] {
        SpareBlocks blocks;
        side_by_side(4, no_pause, [&](std::size_t thread, auto) {
            Dice dice(thread);
            for (int round = 0; round < 40; ++round) {
                const Block block = blocks.acquire(std::size_t{1} << (19 + dice.below(3)));
                const int mine = static_cast<int>(thread * 40) + round;
                fill(block, mine);
                CHECK(holds(block, mine));
                blocks.release(block);
            }
        });
    });
}

inline void test_spare() {
    test_shared_spare();
    test("blocks in use never share memory, however often they are given back and taken", [] {
        SpareBlocks blocks;
        Dice dice(1);
        std::vector<Block> used;
        for (int round = 0; round < 60; ++round) {
            used.push_back(blocks.acquire(std::size_t{1} << (16 + dice.below(8))));
            fill(used.back(), round);
            if (used.size() < 6) continue;
            const auto which = static_cast<std::ptrdiff_t>(dice.below(6));
            CHECK(holds(used[which], *static_cast<unsigned char*>(used[which].memory)));
            blocks.release(used[which]);
            used.erase(used.begin() + which);
        }
        for (const Block& block : used) {
            CHECK(holds(block, *static_cast<unsigned char*>(block.memory)));
            blocks.release(block);
        }
    });

    test("what was given back last is used again, whatever else is kept", [] {
        SpareBlocks blocks;
        for (int round = 0; round < 3; ++round)
            for (const std::size_t megabytes : {300, 64, 16, 9, 300, 100, 5, 2}) {
                const Block values = blocks.acquire(megabytes << 20);
                const Block columns = blocks.acquire(megabytes << 19);
                blocks.release(values);
                blocks.release(columns);
                CHECK(blocks.acquire(columns.bytes).memory == columns.memory);
                CHECK(blocks.acquire(values.bytes).memory == values.memory);
                blocks.release(columns);
                blocks.release(values);
            }
    });

    test("a block has the size that was asked for, none at all included", [] {
        SpareBlocks blocks;
        for (const std::size_t bytes : {0, 1, 1 << 20, (1 << 22) + 1}) {
            const Block block = blocks.acquire(bytes);
            CHECK(block.memory != nullptr && block.bytes >= bytes);
            blocks.release(block);
        }
    });

    test("a buffer keeps what it holds, wherever its memory comes from as it grows", [] {
        Buffer<std::uint64_t> buffer;
        const std::size_t sizes[] = {1, 5'000, 600'000, 9'000'000, 18'000'000};
        for (const std::size_t size : sizes) {
            std::uint64_t* const place = buffer.room(size - buffer.size());
            std::iota(place, place + (size - buffer.size()), buffer.size());
            buffer.commit(size - buffer.size());
            buffer.fit();
            Buffer<std::uint64_t> moved = std::move(buffer);
            buffer = std::move(moved);
            CHECK(buffer.size() == size);
            for (const std::size_t each : sizes)
                if (each <= size) CHECK(buffer[each - 1] == each - 1);
        }
    });

    test("a buffer that is asked for more than there can be says so, and keeps what it holds", [] {
        Buffer<std::uint64_t> buffer;
        buffer.push(7);
        for (const int bits : {60, 61, 63}) {
            bool refused = false;
            try {
                buffer.room((std::size_t{1} << bits) + 1);
            } catch (const std::bad_alloc&) {
                refused = true;
            }
            CHECK(refused);
        }
        CHECK(buffer.size() == 1 && buffer[0] == 7);
    });

    test("what is written past the caches arrives", [] {
        alignas(64) std::array<float, 32> from, to{};
        std::iota(from.begin(), from.end(), 1.0f);
        for (std::size_t k = 0; k < from.size(); k += 8) put_past(part(&from[k]), &to[k]);
        finish_streaming();
        CHECK(to == from);
    });
}

}  // namespace core_tests
