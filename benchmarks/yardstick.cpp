// How fast could it be? Connect Four alpha-beta in C++17, written for nothing else.
//
//     yardstick DEPTH ROUNDS      searches the empty 7x6 board, centre first, evaluation 0, wins by distance
//
// Each round prints one line a variant: name, value, nodes, CPU seconds of the search.
//
//     direct, direct-table      rules inlined into the search
//     virtual, virtual-table    the search knows an abstract game and calls it through a table of functions
//
// The table holds 2^22 pairs (key, data), the newest result always replaces, and a result counts at the
// same depth only: the node counts are those of the engine under test.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

using Bits = std::uint64_t;

constexpr int Win = 1'000'000, Infinite = 2'000'000, Guess = Win - 256;
constexpr int Columns = 7, Rows = 6, Stride = Rows + 1, Cells = Columns * Rows;
constexpr int Order[Columns] = {3, 2, 4, 1, 5, 0, 6};

enum Result { Ongoing, Lost, Drawn };
enum Bound { Exact = 1, Lower, Upper };

bool four(Bits p) {
    for (int step : {Stride, Stride - 1, Stride + 1, 1}) {
        Bits pairs = p & (p >> step);
        if (pairs & (pairs >> (2 * step))) return true;
    }
    return false;
}

class Table {
    static constexpr int Log = 22;
    struct Pair { Bits key, data; };
    std::vector<Pair> pairs = std::vector<Pair>(std::size_t{1} << Log);
    Bits search = 0;
    Pair& pair(Bits key) { return pairs[(key * 0x9E3779B97F4A7C15) >> (64 - Log)]; }

  public:
    void begin() { ++search; }  // what earlier searches found is not seen

    bool knows(Bits key, int ply, int depth, int alpha, int beta, int& value) {
        Pair found = pair(key);
        if (found.key != key || found.data >> 48 != search || int(found.data >> 24 & 255) != depth) return false;
        value = int(found.data & 0xFFFFFF) - (1 << 23);
        value += value > Guess ? -ply : value < -Guess ? ply : 0;
        int bound = found.data >> 32 & 3;
        return bound == Exact || (bound == Lower && value >= beta) || (bound == Upper && value <= alpha);
    }

    void learn(Bits key, int ply, int depth, int value, int bound, int move) {
        value += value > Guess ? ply : value < -Guess ? -ply : 0;
        Bits data = Bits(value + (1 << 23)) | Bits(depth) << 24 | Bits(bound) << 32 | Bits(move) << 40;
        pair(key) = {key, data | search << 48};
    }
};

struct Board {
    Bits pos = 0, mask = 0;
    int stones = 0;

    int moves(int* list) const {
        int count = 0;
        for (int column : Order)
            if (!(mask >> (column * Stride + Rows - 1) & 1)) list[count++] = column;
        return count;
    }
    void make(int column) {
        pos ^= mask;
        mask |= mask + (Bits{1} << (column * Stride));
        ++stones;
    }
    void unmake(int column) {
        Bits low = Bits{1} << (column * Stride);
        mask ^= ((mask & ((low << Rows) - low)) + low) >> 1;
        pos ^= mask;
        --stones;
    }
    int result() const { return four(pos ^ mask) ? Lost : stones == Cells ? Drawn : Ongoing; }
    int evaluate() const { return 0; }
    Bits key() const { return pos + mask; }
};

struct Game {
    virtual ~Game() = default;
    virtual int moves(int* list) const = 0;
    virtual void make(int move) = 0;
    virtual void unmake(int move) = 0;
    virtual int result() const = 0;
    virtual int evaluate() const = 0;
    virtual Bits key() const = 0;
};

struct Connect4 final : Game {
    Board board;
    int moves(int* list) const override { return board.moves(list); }
    void make(int move) override { board.make(move); }
    void unmake(int move) override { board.unmake(move); }
    int result() const override { return board.result(); }
    int evaluate() const override { return board.evaluate(); }
    Bits key() const override { return board.key(); }
};

template <class Played, bool Tabled>
struct Search {
    Played& game;
    Table& table;
    std::uint64_t nodes = 0;

    int visit(int ply, int depth, int alpha, int beta) {
        ++nodes;
        if (int result = game.result()) return result == Lost ? ply - Win : 0;
        if (depth == 0) return game.evaluate();
        Bits key = 0;
        if constexpr (Tabled) {
            int value;
            key = game.key();
            if (table.knows(key, ply, depth, alpha, beta, value)) return value;
        }
        int list[Columns], count = game.moves(list), floor = alpha, best = -Infinite, best_move = 0;
        for (int i = 0; i < count; ++i) {
            game.make(list[i]);
            int value = -visit(ply + 1, depth - 1, -beta, -alpha);
            game.unmake(list[i]);
            if (value > best) {
                best = value, best_move = list[i];
                if (value > alpha && (alpha = value) >= beta) break;
            }
        }
        if constexpr (Tabled)
            table.learn(key, ply, depth, best, best <= floor ? Upper : best >= beta ? Lower : Exact, best_move);
        return best;
    }
};

double seconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

template <class Played, bool Tabled>
void time(const char* name, Played& game, Table& table, int depth) {
    if (Tabled) table.begin();
    Search<Played, Tabled> search{game, table};
    double start = seconds();
    int value = search.visit(0, depth, -Infinite, Infinite);
    std::printf("%s %d %llu %.9f\n", name, value, (unsigned long long)search.nodes, seconds() - start);
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::fprintf(stderr, "usage: yardstick DEPTH ROUNDS\n");
        return 2;
    }
    int depth = std::atoi(words[1]);
    Table table;
    Board board;
    Connect4 connect4;
    for (int round = std::atoi(words[2]); round > 0; --round) {
        time<Board, false>("direct", board, table, depth);
        time<Board, true>("direct-table", board, table, depth);
        time<Game, false>("virtual", connect4, table, depth);
        time<Game, true>("virtual-table", connect4, table, depth);
    }
}
