// All plays of racks on boards, found by Quackle's generator: `peer_quackle WORDS < positions`.
//
// WORDS is a list of words, one a line. The first line of input tells what each of the 225 cells multiplies, letters
// and words, a digit a cell. A position is a line: the cells in rows (`.` for an empty one, a capital for a tile, a
// small letter for a blank) and the rack (`?` for a blank). For each the program prints how many plays there are, the
// sum of their points, and the CPU seconds that took. It is built against a checkout of Quackle, a program of its own
// (https://github.com/quackle/quackle), by `python -m benchmarks scrabble:quackle=FOLDER`.
//
// Quackle reads words as a GADDAG (Gordon 1994), nodes of four bytes: how far ahead the first child is, three bytes;
// letter | a word ends here << 6 | the last of its siblings << 7. Behind each prefix of a word, turned round, stand a
// separator and the rest.

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "board.h"
#include "boardparameters.h"
#include "datamanager.h"
#include "evaluator.h"
#include "gaddag.h"
#include "game.h"
#include "generator.h"
#include "lexiconparameters.h"
#include "playerlist.h"

using namespace Quackle;

static const int SIDE = 15;
static const char SEPARATOR = 127; // in keys: behind all letters

static char inner(char letter) { return char(letter - 'A' + QUACKLE_FIRST_LETTER); }

class Words : public LexiconParameters
{
public:
	explicit Words(const char *file)
	{
		std::ifstream list(file);
		for (std::string word; list >> word;)
			turn(word);
		std::sort(keys.begin(), keys.end());
		nodes.assign(4, 0); // the root
		grow(0, 0, keys.size(), 0);
		m_gaddag = new unsigned char[nodes.size()];
		std::memcpy(m_gaddag, nodes.data(), nodes.size());
		keys.clear();
	}

private:
	std::vector<std::string> keys;
	std::vector<unsigned char> nodes;

	void turn(const std::string &word)
	{
		for (size_t cut = 1; cut <= word.size(); cut++) {
			std::string key;
			for (size_t i = cut; i > 0; i--)
				key += inner(word[i - 1]);
			if (cut < word.size())
				key += SEPARATOR;
			for (size_t i = cut; i < word.size(); i++)
				key += inner(word[i]);
			keys.push_back(key);
		}
	}

	// The children of a node, side by side, then what is below each: keys `first` to `last` agree up to `depth`.
	void grow(size_t node, size_t first, size_t last, size_t depth)
	{
		if (first < last && keys[first].size() == depth) {
			nodes[4 * node + 3] |= 64;
			while (first < last && keys[first].size() == depth)
				first++;
		}
		if (first == last)
			return;
		std::vector<size_t> starts;
		for (size_t i = first; i < last; i++)
			if (i == first || keys[i][depth] != keys[i - 1][depth])
				starts.push_back(i);
		const size_t child = nodes.size() / 4, ahead = child - node;
		for (int i = 0; i < 3; i++)
			nodes[4 * node + i] = (ahead >> (16 - 8 * i)) & 255;
		for (size_t start : starts) {
			const char letter = keys[start][depth];
			nodes.insert(nodes.end(), {0, 0, 0, (unsigned char)(letter == SEPARATOR ? QUACKLE_GADDAG_SEPARATOR : letter)});
		}
		nodes[nodes.size() - 1] |= 128;
		for (size_t i = 0; i < starts.size(); i++)
			grow(child + i, starts[i], i + 1 < starts.size() ? starts[i + 1] : last, depth + 1);
	}
};

static BoardParameters *premiums(const std::string &letters, const std::string &words)
{
	BoardParameters *board = new BoardParameters; // of 15 rows and columns
	for (int row = 0; row < SIDE; row++)
		for (int column = 0; column < SIDE; column++) {
			board->setLetterMultiplier(row, column, (BoardParameters::LetterMultiplier)(letters[SIDE * row + column] - '0'));
			board->setWordMultiplier(row, column, (BoardParameters::WordMultiplier)(words[SIDE * row + column] - '0'));
		}
	return board;
}

static GamePosition start()
{
	PlayerList players;
	players.push_back(Player("one", Player::HumanPlayerType, 0));
	players.push_back(Player("two", Player::HumanPlayerType, 1));
	Game game;
	game.setPlayers(players);
	game.addPosition();
	return game.currentPosition();
}

int main(int count, char **arguments)
{
	if (count != 2)
		return 2;
	DataManager data;
	data.setLexiconParameters(new Words(arguments[1]));
	data.setEvaluator(new Evaluator); // points alone
	std::string letter, word;
	std::cin >> letter >> word;
	data.setBoardParameters(premiums(letter, word));
	const GamePosition empty = start();
	for (std::string cells, letters; std::cin >> cells >> letters;) {
		Board board;
		board.prepareEmptyBoard();
		for (int at = 0; at < SIDE * SIDE; at++) {
			if (cells[at] == '.')
				continue;
			char tile = inner(char(std::toupper(cells[at])));
			if (std::islower(cells[at]))
				tile = QUACKLE_ALPHABET_PARAMETERS->setBlankness(tile);
			board.makeMove(Move::createPlaceMove(at / SIDE, at % SIDE, true, LetterString(1, tile)));
		}
		LetterString rack;
		for (char letter : letters)
			rack.push_back(letter == '?' ? char(QUACKLE_BLANK_MARK) : inner(letter));
		GamePosition position(empty);
		position.setBoard(board);
		position.setCurrentPlayerRack(Rack(rack), false);
		Generator generator(position);
		const std::clock_t began = std::clock();
		generator.allCrosses();
		generator.kibitz(2, Generator::CannotExchange);
		const double seconds = double(std::clock() - began) / CLOCKS_PER_SEC;
		long points = 0, plays = 0;
		for (const Move &move : generator.allPossiblePlays())
			if (move.action == Move::Place)
				points += move.effectiveScore(), plays++;
		std::printf("%ld %ld %.6f\n", plays, points, seconds);
	}
	return 0;
}
