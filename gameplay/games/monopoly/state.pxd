from gameplay.games.monopoly.layout cimport *
from gameplay.kernel cimport Kernel

cdef class MonopolyState(Kernel):
    cdef readonly int players, rounds
    cdef readonly bint trades
    cdef int[SIZE] state                # the position, see layout.py
    cdef int* saved_states              # the states before each move
    cdef int capacity                   # states allocated
    cdef int ply                        # moves made
    cdef int salary, fine, interest     # the facts of the board, from board.toml
    cdef int[40] kind                   # of each square
    cdef int[40] group                  # 0 to 7 the colours, 8 stations, 9 utilities, -1 none
    cdef int[40] prices                 # or the tax
    cdef int[40] building_costs         # of a building on each square
    cdef int[40] deed                   # the number of the property, 0 to 27; -1 none
    cdef int[40] visits                 # hundredths of a per cent of all rolls that end there
    cdef int[28] properties             # the square of each property
    cdef int[40] group_squares          # the squares of group g are those from index 4 * g on
    cdef int[10] group_sizes
    cdef int[240] rents                 # of square s from rents[6 * s] on
    cdef int[32] effect                 # of each card; those of the second deck from 16 on
    cdef int[32] amount, hotel_repairs  # parameters of the effects
    cdef int[2] jail_card               # the Get Out of Jail Free card of each deck
    cdef int[BID_STEPS] steps           # possible raises of a bid
    cdef int[MONEY_STEPS] extras        # possible amounts in a trade
    cdef void save_state(self) noexcept nogil
    cdef int count_owned(self, int player, int group) noexcept nogil
    cdef int lowest_level(self, int group) noexcept nogil
    cdef int highest_level(self, int group) noexcept nogil
    cdef int rent(self, int square, int dice_total) noexcept nogil
    cdef bint can_build(self, int player, int square) noexcept nogil
    cdef void build(self, int square) noexcept nogil
    cdef void sell(self, int square) noexcept nogil
    cdef int mortgage_interest(self, int square) noexcept nogil
    cdef bint is_tradable(self, int square) noexcept nogil
    cdef int add_move(self, int base, int kind, int argument) noexcept nogil
    cdef int gen_raise(self, int base, int player, int excluded) noexcept nogil
    cdef int gen_manage(self, int base) noexcept nogil
    cdef bint can_offer(self, int player) noexcept nogil
    cdef int players_left(self) noexcept nogil
    cdef int max_raisable(self, int player) noexcept nogil
    cdef int wealth(self, int player) noexcept nogil
