// SPDX-License-Identifier: Apache-2.0
#include "debug_bench.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace debug
{

uint8_t Request::lanes() const
{
    const unsigned width = 1u << size;
    return static_cast<uint8_t>(((1u << width) - 1) << (addr & 7 & ~(width - 1)));
}

Bench::Bench(const Straps &straps, uint64_t seed)
    : straps_(straps), top_(std::make_unique<Vdebug_bridge_tb_top>()), rng_(seed)
{
    Vdebug_bridge_tb_top &t = *top_;
    t.access_cycles_i = static_cast<uint8_t>(straps.access);
    t.ratio_i = static_cast<uint8_t>(straps.ratio);
    t.posted_i = static_cast<uint8_t>(straps.posted);
    t.present_i = static_cast<uint8_t>(straps.present);
    t.arvalid_i = t.awvalid_i = t.wvalid_i = t.rready_i = t.bready_i = 0;
    t.rst_ni = 0;
    for (int i = 0; i < 4; i++) {
        t.clk_i = i % 2;
        t.eval();
    }
    t.clk_i = 0;
    t.rst_ni = 1;
    t.eval();
}

Bench::~Bench()
{
    top_->final();
}

Request &Bench::post(const Request &request)
{
    requests_.push_back(std::make_unique<Request>(request));
    Side &side = sides_[request.write];
    if (side.queue.empty())
        side.start = now_;
    side.queue.push_back(requests_.back().get());
    return *side.queue.back();
}

// --- the page ---

bool Bench::in_data() const
{
    return owner_ != nullptr && owner_->write && beat_ < owner_->beats;
}

// "a place: from w + 1 to its e. WREADY of a write of one beat is low in DATA while all P places
// are occupied."
bool Bench::room() const
{
    return straps_.posted == 0 || owner_->beats > 1 || occupied_.size() < straps_.posted;
}

bool Bench::responds() const
{
    return owner_ != nullptr && now_ >= answer_;
}

unsigned Bench::slots_of(const Request &r) const
{
    return r.to_all() ? straps_.present : straps_.present & 1u << r.slot();
}

bool Bench::refused(const Request &r) const
{
    if (r.size < 2 || r.beats > 1)
        return true;
    if (r.write)
        return r.strobe() != r.lanes() || (!r.to_all() && slots_of(r) == 0);
    return r.to_all() || slots_of(r) == 0;
}

// "Clock": its effect cycle. What it does is done here: accesses keep their order.
uint64_t Bench::access(const Request &r, uint64_t from)
{
    const uint64_t ratio = straps_.ratio;
    const uint64_t first = (std::max(from, free_) + ratio - 1) / ratio * ratio;
    const uint64_t cycle = first + straps_.access * ratio - 1;
    const unsigned slots = slots_of(r);
    const bool told = !r.write && !refused(r) && (late_ & slots) != 0;

    free_ = cycle + 1;
    resp_ = slverr;
    read_ = 0;
    if (told)
        late_ &= ~slots;
    if (refused(r) || told)
        return cycle;

    const uint64_t mask = r.size == 3 ? ~0ull : 0xffffffff;
    const unsigned shift = r.addr & 4 && r.size == 2 ? 32 : 0;
    const bool error = (r.addr & 0xe000) == 0xe000; // reg_slot.sv
    Effect effect{slots, r.write, r.size == 3, error && !r.to_all(), r.addr, r.data >> shift & mask,
                  0};
    for (unsigned s = 0; s < nr_slot && !error; s++) {
        if (!(slots >> s & 1))
            continue;
        if (r.write)
            word(s, r) = (word(s, r) & ~(mask << shift)) | (r.data & mask << shift);
        else
            effect.rdata = word(s, r) >> shift & mask;
    }
    if (effect.err && r.write && straps_.posted != 0)
        late_ |= slots;
    effects_[cycle] = effect;
    resp_ = effect.err ? slverr : okay;
    read_ = effect.rdata << shift;
    return cycle;
}

// --- a cycle ---

void Bench::drive()
{
    Vdebug_bridge_tb_top &t = *top_;
    for (Side &side : sides_) {
        if (side.queue.empty())
            continue;
        const Request &r = *side.queue.front();
        if (&r != owner_ && now_ >= side.start + r.delay)
            side.on = true;
        if (r.write && now_ >= side.start + r.late &&
            (&r != owner_ || in_data())) // W data may be there before the address
            side.data_on = true;
    }
    t.arvalid_i = sides_[0].on;
    if (sides_[0].on) {
        const Request &r = *sides_[0].queue.front();
        t.arid_i = static_cast<uint8_t>(r.id);
        t.araddr_i = 0x20000000 + r.addr;
        t.arlen_i = static_cast<uint8_t>(r.beats - 1);
        t.arsize_i = static_cast<uint8_t>(r.size);
    }
    t.awvalid_i = sides_[1].on;
    t.wvalid_i = sides_[1].data_on;
    if (!sides_[1].queue.empty()) {
        const Request &r = *sides_[1].queue.front();
        const unsigned beat = &r == owner_ ? beat_ : 0;
        t.awid_i = static_cast<uint8_t>(r.id);
        t.awaddr_i = 0x20000000 + r.addr;
        t.awlen_i = static_cast<uint8_t>(r.beats - 1);
        t.awsize_i = static_cast<uint8_t>(r.size);
        t.wdata_i = beat == 0 ? r.data : ~r.data;
        t.wstrb_i = r.strobe();
        t.wlast_i = beat + 1 == r.beats;
    }
    t.rready_i = rng_() % 100 < willing;
    t.bready_i = rng_() % 100 < willing;
}

void Bench::compare()
{
    const Vdebug_bridge_tb_top &t = *top_;
    const bool idle = owner_ == nullptr, answers = responds();
    EXPECT_EQ(t.arready_o, idle);
    EXPECT_EQ(t.awready_o, idle && !t.arvalid_i) << "the read is first";
    EXPECT_EQ(t.wready_o, in_data() && room());
    EXPECT_EQ(t.rvalid_o, answers && !owner_->write);
    EXPECT_EQ(t.bvalid_o, answers && owner_->write);
    if (t.rvalid_o && answers) {
        EXPECT_EQ(t.rid_o, owner_->id);
        EXPECT_EQ(t.rresp_o, resp_);
        EXPECT_EQ(t.rdata_o, read_);
        EXPECT_EQ(t.rlast_o, beat_ + 1 == owner_->beats);
    }
    if (t.bvalid_o && answers) {
        EXPECT_EQ(t.bid_o, owner_->id);
        EXPECT_EQ(t.bresp_o, resp_);
    }
    const auto found = effects_.find(now_);
    EXPECT_EQ(t.acc_valid_o, found != effects_.end());
    EXPECT_EQ(t.reg_en_o, found != effects_.end() ? found->second.slots : 0);
    if (found != effects_.end()) {
        const Effect &e = found->second;
        EXPECT_EQ(t.reg_write_o, e.write);
        EXPECT_EQ(t.reg_wide_o, e.wide);
        EXPECT_EQ(t.reg_addr_o, e.addr & 0xffff);
        EXPECT_EQ(t.acc_write_o, e.write);
        EXPECT_EQ(t.acc_wide_o, e.wide);
        EXPECT_EQ(t.acc_addr_o, e.addr);
        EXPECT_EQ(t.acc_err_o, e.err);
        EXPECT_EQ(t.acc_rdata_o, e.rdata);
        const uint64_t used = e.wide ? ~0ull : 0xffffffff;
        if (e.write) {
            EXPECT_EQ(t.reg_wdata_o & used, e.wdata);
            EXPECT_EQ(t.acc_wdata_o & used, e.wdata);
        }
    }
    EXPECT_EQ(t.violation_o, 0);
}

void Bench::begin(Request &r)
{
    owner_ = &r;
    sides_[r.write].on = false;
    r.address = now_;
    beat_ = 0;
    answer_ = never;
    if (!r.write) {
        r.effect = access(r, now_ + 1);
        answer_ = r.effect + 1;
    }
}

void Bench::end()
{
    Side &side = sides_[owner_->write];
    owner_->answer = answer_;
    owner_->complete = now_;
    owner_->resp = resp_;
    owner_->read = read_;
    owner_->done = true;
    owner_ = nullptr;
    side.queue.pop_front();
    side.start = now_ + 1;
}

// What the handshakes of this cycle lead to.
void Bench::advance()
{
    if (owner_ == nullptr) {
        Side &first = sides_[0].on ? sides_[0] : sides_[1];
        if (first.on)
            begin(*first.queue.front());
    } else if (in_data() && sides_[1].data_on && room()) {
        Request &r = *owner_;
        sides_[1].data_on = false;
        if (++beat_ == r.beats) {
            r.last = now_;
            answer_ = now_ + 1;
            if (straps_.posted == 0) {
                r.effect = access(r, now_ + 1);
                answer_ = r.effect + 1;
            } else if (refused(r)) {
                resp_ = slverr;
            } else {
                r.effect = access(r, now_ + 1);
                occupied_.push_back(r.effect);
                resp_ = okay;
            }
        }
    } else if (responds() && (owner_->write ? top_->bready_i : top_->rready_i)) {
        if (owner_->write || ++beat_ == owner_->beats)
            end();
    }
    while (!occupied_.empty() && occupied_.front() == now_)
        occupied_.pop_front();
}

void Bench::step()
{
    drive();
    top_->eval();
    compare();
    advance();
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
    now_++;
}

void Bench::run(uint64_t limit)
{
    const uint64_t until = now_ + limit;
    while ((owner_ != nullptr || !sides_[0].queue.empty() || !sides_[1].queue.empty() ||
            now_ <= free_) &&
           now_ < until && !testing::Test::HasFailure())
        step();
    EXPECT_LT(now_, until);
}

} // namespace debug
