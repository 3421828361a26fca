cimport cython

from gameplay.games.scrabble.layout cimport *

@cython.final
cdef class Lexicon:
    cdef readonly int size, root, words     # number of edges, first state, number of words
    cdef readonly object edge_array         # the edges
    cdef object count_array, total_array, offset_array # the memory of the other pointers
    cdef unsigned int* edges
    cdef unsigned int* counts               # by edge: the words below it
    cdef unsigned int* totals               # by state
    cdef unsigned int* play_offsets         # by word: the number of plays of the words before it

    cdef bint count_words(self) noexcept nogil
    cdef bint accumulate_plays(self) noexcept nogil
    cdef int word_of_play(self, unsigned int number) noexcept nogil
    cdef int count_plays(self, int state, int length, int rank) noexcept nogil

cdef int blank_choices(int length) noexcept nogil
