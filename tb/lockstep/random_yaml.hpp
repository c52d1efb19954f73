// Random scenarios as text: what their generators share.
#ifndef CS_TB_LOCKSTEP_RANDOM_YAML_HPP
#define CS_TB_LOCKSTEP_RANDOM_YAML_HPP

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <random>
#include <string>

class RandomYaml
{
  public:
    explicit RandomYaml(uint64_t seed) : random_(seed) {}

  protected:
    // Not std's distributions: those differ from library to library.
    uint64_t below(uint64_t n)
    {
        return random_() % n;
    }

    uint64_t between(uint64_t low, uint64_t high)
    {
        return low + below(high - low + 1);
    }

    bool chance(unsigned percent)
    {
        return below(100) < percent;
    }

    uint64_t bits()
    {
        return random_();
    }

    __attribute__((format(printf, 2, 3))) void line(const char *format, ...)
    {
        char buffer[4096];
        va_list args;

        va_start(args, format);
        vsnprintf(buffer, sizeof buffer, format, args);
        va_end(args);
        out_ += buffer;
        out_ += '\n';
    }

    // Steps of a script.
    void poke(uint64_t addr, unsigned size, uint64_t value)
    {
        if (size < 8)
            value &= (1ull << 8 * size) - 1;
        line("  - write: {at: 0x%" PRIx64 ", size: %u, value: 0x%" PRIx64 "}", addr, size, value);
    }

    void peek(uint64_t addr, unsigned size)
    {
        line("  - read: {at: 0x%" PRIx64 ", size: %u}", addr, size);
    }

    void pause(uint64_t low, uint64_t high)
    {
        line("  - delay: %" PRIu64, between(low, high));
    }

    std::string out_;

  private:
    std::mt19937_64 random_;
};

#endif
