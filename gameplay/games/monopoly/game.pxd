cimport cython
from gameplay.kernel cimport Kernel

@cython.final
cdef class Monopoly(Kernel):
    cdef readonly int players, rounds
    cdef readonly bint trades
    cdef int[180] row                   # the position, see monopoly.py
    cdef int* past                      # the rows before each move
    cdef int room                       # moves that `past` has room for
    cdef int ply                        # moves made
    cdef int salary, fine, interest     # the facts of the board, from monopoly.toml
    cdef int[40] kind                   # of each square
    cdef int[40] group                  # 0 to 7 the colours, 8 stations, 9 utilities, -1 none
    cdef int[40] prices                 # or the tax
    cdef int[40] house                  # what a building costs there
    cdef int[40] deed                   # the number of the property, 0 to 27; -1 none
    cdef int[40] visits                 # hundredths of a per cent of all rolls that end there
    cdef int[28] estate                 # the square of each property
    cdef int[40] member                 # the squares of group g are member[4 * g:4 * g + size[g]]
    cdef int[10] size
    cdef int[240] rents                 # of square s from rents[6 * s] on
    cdef int[32] effect                 # what each card does; those of the second deck from 16 on
    cdef int[32] amount, second         # ... and with what
    cdef int[2] pardon                  # which card of each deck is the pardon
    cdef int[5] steps                   # what a bid may add
    cdef int[10] extras                 # ... and a trade
    cdef int w_income, w_building, w_set, w_cash
    cdef void remember(self) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef bint pay(self) noexcept nogil
    cdef void owe(self, int debtor, int creditor, int amount) noexcept nogil
    cdef void bankrupt(self, int debtor, int creditor) noexcept nogil
    cdef void pass_on(self) noexcept nogil
    cdef void apply_roll(self, int one, int two) noexcept nogil
    cdef void walk(self, int steps, int times) noexcept nogil
    cdef void land(self, int times) noexcept nogil
    cdef void arrest(self) noexcept nogil
    cdef void draw_card(self, int card) noexcept nogil
    cdef int rent(self, int square, int eyes) noexcept nogil
    cdef int held(self, int player, int group) noexcept nogil
    cdef int lowest(self, int group) noexcept nogil
    cdef int highest(self, int group) noexcept nogil
    cdef bint can_build(self, int player, int square) noexcept nogil
    cdef void build(self, int square) noexcept nogil
    cdef void sell(self, int square) noexcept nogil
    cdef int raisable(self, int player) noexcept nogil
    cdef int wealth(self, int player) noexcept nogil
    cdef bint auction(self) noexcept nogil
    cdef bint bid_goes_on(self) noexcept nogil
    cdef bint asks(self, int player) noexcept nogil
    cdef int alive(self) noexcept nogil
    cdef int charge(self, int square) noexcept nogil
    cdef void hand_over(self, int square, int taker) noexcept nogil
    cdef void trade(self) noexcept nogil
    cdef bint tradable(self, int square) noexcept nogil
    cdef int put(self, int base, int what, int argument) noexcept nogil
    cdef int gen_raise(self, int base, int player, int barred) noexcept nogil
    cdef int gen_manage(self, int base) noexcept nogil
    cdef int gen_trade(self, int base) noexcept nogil
    cdef int beaten(self, int player) noexcept nogil
    cdef int standing(self, int player) noexcept nogil
    cdef int share_of(self, int player) noexcept nogil
    cdef int worth_of(self, int player) noexcept nogil
    cdef int choose(self, int base, int end) noexcept nogil
    cdef int bid_of(self, int player, unsigned long long lot) noexcept nogil
