/* IDA* with the Manhattan distance on the 15-puzzle, for nothing else: what our engine is held against.
   Arguments: the tiles row by row, 0 the blank. Prints the length, the nodes generated and the CPU seconds. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const int offset[4] = {-4, -1, 1, 4}; /* the blank goes up, left, right, down; 3 - m takes back m */
static signed char step[16][16][4];          /* tile, its cell, move: what it adds to the distance */
static unsigned char legal[16][4], cells[16];
static long long nodes;

static int far(int tile, int cell) {
    return abs(tile / 4 - cell / 4) + abs(tile % 4 - cell % 4);
}

static int within(int blank, int room, int left, int last) {
    for (int move = 0; move < 4; move++) {
        if (!legal[blank][move] || move == 3 - last)
            continue;
        int cell = blank + offset[move], tile = cells[cell], after = left + step[tile][cell][move];
        nodes++;
        if (after + 1 > room)
            continue;
        if (after == 0)
            return 1;
        cells[blank] = tile;
        if (within(cell, room - 1, after, move))
            return 1;
        cells[cell] = tile;
    }
    return 0;
}

int main(int count, char **words) {
    int start[16], blank = 0, left = 0;
    if (count != 17)
        return 2;
    for (int cell = 0; cell < 16; cell++) {
        start[cell] = atoi(words[cell + 1]);
        if (start[cell] == 0)
            blank = cell;
        else
            left += far(start[cell], cell);
        for (int move = 0; move < 4; move++) {
            legal[cell][move] = move == 0 ? cell > 3 : move == 3 ? cell < 12 : move == 1 ? cell % 4 > 0 : cell % 4 < 3;
            int to = cell - offset[move];
            for (int tile = 0; tile < 16 && to >= 0 && to < 16; tile++)
                step[tile][cell][move] = far(tile, to) - far(tile, cell);
        }
    }
    clock_t began = clock();
    nodes = 1;
    for (int threshold = left;; threshold += 2) {
        for (int cell = 0; cell < 16; cell++)
            cells[cell] = start[cell];
        if (within(blank, threshold, left, 9)) {
            printf("%d %lld %.6f\n", threshold, nodes, (double)(clock() - began) / CLOCKS_PER_SEC);
            return 0;
        }
    }
}
