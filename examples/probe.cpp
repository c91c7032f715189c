// Asks the tables about a position, from C++: the same program as probe.c.
//
//     make -C capi install PREFIX=$HOME/oware
//     export PKG_CONFIG_PATH=$HOME/oware/lib/pkgconfig LD_LIBRARY_PATH=$HOME/oware/lib
//     g++ -O2 examples/probe.cpp $(pkg-config --cflags --libs oware) -o probe
//     ./probe tables 0 0 0 0 1 2  1 0 0 0 3 0
//
// The archive of a release is what the first line installs.
#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "oware.h"

using Board = std::array<uint8_t, 12>;

/// Tables that close themselves, and failures as exceptions.
class Tables {
public:
  explicit Tables(const std::string &dir) : tables(oware_open(dir.c_str(), "abapa"), oware_close) {
    if (!tables)
      throw std::runtime_error(oware_last_error());
  }

  int max_seeds() const {
    const int most = oware_max_seeds(tables.get());
    check(oware_last_status());
    return most;
  }

  OwareScore score(const Board &board) const {
    OwareScore score;
    check(oware_probe(tables.get(), board.data(), &score));
    return score;
  }

  std::vector<OwareMove> moves(const Board &board) const {
    std::vector<OwareMove> moves(6);
    size_t count = 0;
    check(oware_probe_moves(tables.get(), board.data(), moves.data(), &count));
    moves.resize(count);
    return moves;
  }

  /// The move of a game that begins with `board`.
  OwareMove best(const Board &board) const {
    OwareMove best;
    check(oware_best(tables.get(), board.data(), 0, 0, nullptr, 0, &best));
    return best;
  }

private:
  static void check(OwareStatus status) {
    if (status != OWARE_STATUS_OK)
      throw std::runtime_error(oware_last_error());
  }

  std::unique_ptr<OwareTables, decltype(&oware_close)> tables;
};

static std::ostream &operator<<(std::ostream &out, OwareScore score) {
  out << int(score.low);
  return score.low == score.high ? out : out << ".." << int(score.high);
}

static char letter(const OwareMove &move) { return static_cast<char>('A' + move.house); }

/// Reads a number of seeds: nothing but digits, and no more than 48.
static uint8_t seeds(const std::string &text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const unsigned long number = digits && text.size() < 9 ? std::stoul(text) : 49;
  if (number > 48)
    throw std::invalid_argument("`" + text + "` is not a number of seeds, 0 to 48");
  return static_cast<uint8_t>(number);
}

int main(int argc, char **argv) try {
  if (argc != 14) {
    std::cerr << "usage: probe TABLES A B C D E F a b c d e f\n";
    return 2;
  }
  Board board;
  for (size_t house = 0; house < 12; house++)
    board[house] = seeds(argv[house + 2]);

  const Tables tables(argv[1]);
  std::cout << "layers to " << tables.max_seeds() << " seeds\n";
  const OwareScore score = tables.score(board);
  std::cout << "score " << score << "\n";
  const auto moves = tables.moves(board);
  for (const OwareMove &move : moves)
    std::cout << letter(move) << " " << move.score << ", captures " << int(move.captured)
              << (move.certified ? ", certified" : "") << "\n";
  if (moves.empty())
    std::cout << "the game is over\n";
  else
    std::cout << "best " << letter(tables.best(board)) << "\n";
  return EXIT_SUCCESS;
} catch (const std::invalid_argument &error) {
  std::cerr << "probe: " << error.what() << "\n";
  return 2;
} catch (const std::exception &error) {
  std::cerr << "probe: " << error.what() << "\n";
  return EXIT_FAILURE;
}
