// SPDX-License-Identifier: Apache-2.0
// POWER's IMC cores (models/imc) as one TLM-2.0 module: initiator socket i for core i, and
// the SCOM and SPR bridges. All cores are one agent, so that they may run ahead together.
#ifndef CS_BUS_IMC_IMC_MODULE_HPP
#define CS_BUS_IMC_IMC_MODULE_HPP

#include <memory>
#include <string>
#include <vector>

#include <countersink/bus/fabric/agent_module.hpp>
#include <countersink/bus/fabric/register_access.hpp>
#include <countersink/bus/imc/earliest_of.hpp>
#include <countersink/models/imc/imc_core.h>

namespace cs
{

// From `cycle` on the core's power pin has the level.
struct PowerChange {
    cs_cycle cycle;
    unsigned core;
    bool on;
};

struct ImcConfig {
    unsigned chips = 1; // each has as many cores
    unsigned cores = 0;
    cs_imc_core_config core = {};                     // `unit` is that of core 0; the others follow
    std::vector<std::vector<cs_event_source>> events; // [core][thread]
    std::vector<PowerChange> power;                   // in order of cycles, each >= 1
    const cs_probe_sink *probe = nullptr;             // borrowed; may be NULL
};

class ImcModule : public AgentModule
{
  public:
    SC_HAS_PROCESS(ImcModule);

    // A configuration that the model refuses is an sc_report of severity SC_ERROR. Where the handler lets
    // that pass, there is no core: each access is an error.
    ImcModule(const sc_core::sc_module_name &name, const sc_core::sc_time &period,
              const ImcConfig &config);
    ~ImcModule() override;

    // The SCOM bridge of a chip.
    tlm::tlm_target_socket<64> &scom(unsigned chip = 0)
    {
        return scoms_[chip]->socket;
    }
    tlm::tlm_target_socket<64> spr;

    // What a thread does from now on may differ from what its events said: software came or went.
    void events_changed(unsigned core, unsigned thread);

    cs_cycle earliest() const override;
    bool alone(cs_cycle until) const override;

  private:
    // A bridge's port: `registers` of the address, then the cores. SCOM's has those of a chip.
    class Window : public RegisterPort
    {
      public:
        Window(ImcModule &module, bool spr, unsigned chip = 0)
            : module_(module), spr_(spr), chip_(chip)
        {
        }
        bool read(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override;
        bool write(cs_cycle cycle, uint32_t offset, bool wide, uint64_t data) override;
        bool ask(cs_cycle cycle, uint32_t offset, bool wide, uint64_t &data) override;

      private:
        template <class Read>
        bool read_all(uint32_t offset, bool wide, uint64_t &data, const Read &read) const;
        uint32_t decode(uint32_t offset, unsigned &reg) const; // a mask of cores
        ImcModule &module_;
        bool spr_;
        unsigned chip_;
    };
    struct Scom {
        Scom(ImcModule &module, unsigned chip);

        tlm::tlm_target_socket<64> socket;
        Window window;
        RegisterAccess access;
    };

    static cs_bus_submit submit(void *ctx, unsigned core, cs_bus_txn *txn);

    cs_cycle next() const override;
    void execute(cs_cycle cycle) override;
    void bus_done(unsigned port, cs_bus_txn *txn) override;
    void execute_power();
    void execute_core(cs_cycle end);
    bool keep(unsigned core, cs_bus_txn *txn);
    void compare_kept(unsigned core, const Turn &turn);
    void plan_kept();
    void pick_kept();
    void release_kept();
    void hand_back(unsigned core);
    void look(unsigned core); // asks the core again what it will do

    ImcConfig config_;
    std::vector<cs_imc_core *> cores_;
    EarliestOf next_;        // by core; of the one that is being executed it is past
    unsigned executing_ = 0; // the core that is, or was last
    size_t power_done_ = 0;
    unsigned pending_ = 0; // ports with a transfer on the long way

    // Transfers that others may come before: they are kept until all cores have been executed up
    // to the first one's turn.
    uint32_t kept_ = 0;                  // a mask of cores
    std::vector<cs_bus_txn *> kept_txn_; // by core
    Turn first_turn_ = {CS_NEVER, 0};    // of all that are kept
    unsigned first_kept_ = 0;            // the core of that
    bool picking_ = false;
    std::vector<std::unique_ptr<Scom>> scoms_; // by chip
    Window spr_window_;
    RegisterAccess spr_access_;
};

} // namespace cs

#endif
