/* Rows of what happened when (activity.h). */
#include "results/truth/impl.h"

static void name(cs_truth *t, cs_truth_table table, cs_truth_unit_name unit)
{
    cs_truth_text(t, table, 1, unit.unit);
    cs_truth_integers(t, table, 2, (uint64_t[]){unit.number}, 1);
}

static const char *direction(const cs_probe_record *r)
{
    return r->write ? "write" : "read";
}

void cs_truth_state(cs_truth *t, cs_truth_unit_name unit, cs_truth_span span, const char *state)
{
    name(t, CS_TRUTH_STATE, unit);
    cs_truth_integers(t, CS_TRUTH_STATE, 3, (uint64_t[]){span.start, span.stop}, 2);
    cs_truth_text(t, CS_TRUTH_STATE, 5, state);
    cs_truth_put(t, CS_TRUTH_STATE);
}

void cs_truth_line(cs_truth *t, cs_truth_unit_name unit, cs_truth_span span, unsigned line)
{
    name(t, CS_TRUTH_LINE, unit);
    cs_truth_integers(t, CS_TRUTH_LINE, 3, (uint64_t[]){line, span.start, span.stop}, 3);
    cs_truth_put(t, CS_TRUTH_LINE);
}

void cs_truth_access(cs_truth *t, cs_truth_unit_name unit, const cs_probe_record *r)
{
    name(t, CS_TRUTH_ACCESS, unit);
    cs_truth_integers(t, CS_TRUTH_ACCESS, 3, (uint64_t[]){r->cycle}, 1);
    cs_truth_text(t, CS_TRUTH_ACCESS, 4, direction(r));
    cs_truth_integers(t, CS_TRUTH_ACCESS, 5, (uint64_t[]){r->addr, r->value, r->bytes}, 3);
    cs_truth_text(t, CS_TRUTH_ACCESS, 8, cs_truth_response(r->resp));
    cs_truth_put(t, CS_TRUTH_ACCESS);
}

/* docs/hw/hpm.md: resp is the exception. */
void cs_truth_csr(cs_truth *t, unsigned hart, const cs_probe_record *r)
{
    static const char *const exceptions[] = {"none", "illegal instruction", "virtual instruction"};
    const bool known = r->resp < sizeof exceptions / sizeof exceptions[0];

    cs_truth_integers(t, CS_TRUTH_CSR, 1, (uint64_t[]){hart, r->cycle}, 2);
    cs_truth_text(t, CS_TRUTH_CSR, 3, direction(r));
    cs_truth_integers(t, CS_TRUTH_CSR, 4, (uint64_t[]){r->addr, r->value}, 2);
    cs_truth_text(t, CS_TRUTH_CSR, 6, known ? exceptions[r->resp] : NULL);
    cs_truth_put(t, CS_TRUTH_CSR);
}

void cs_truth_posting(cs_truth *t, const cs_probe_record *r)
{
    cs_truth_integers(t, CS_TRUTH_POSTING, 1,
                      (uint64_t[]){r->index, r->value, r->request, r->cycle + 1, r->addr, r->bytes},
                      6);
    cs_truth_text(t, CS_TRUTH_POSTING, 7, cs_truth_response(r->resp));
    cs_truth_put(t, CS_TRUTH_POSTING);
}

void cs_truth_transfer(cs_truth *t, const char *manager, const cs_probe_record *r)
{
    cs_truth_text(t, CS_TRUTH_TRANSFER, 1, manager);
    cs_truth_integers(t, CS_TRUTH_TRANSFER, 2, (uint64_t[]){r->request, r->grant, r->cycle + 1}, 3);
    cs_truth_text(t, CS_TRUTH_TRANSFER, 5, direction(r));
    cs_truth_integers(t, CS_TRUTH_TRANSFER, 6, (uint64_t[]){r->addr, r->bytes}, 2);
    cs_truth_text(t, CS_TRUTH_TRANSFER, 8, cs_truth_response(r->resp));
    cs_truth_put(t, CS_TRUTH_TRANSFER);
}

void cs_truth_load(cs_truth *t, const char *manager, cs_truth_span span, uint64_t held)
{
    cs_truth_text(t, CS_TRUTH_LOAD, 1, manager);
    cs_truth_integers(t, CS_TRUTH_LOAD, 2, (uint64_t[]){span.start, span.stop, held}, 3);
    cs_truth_put(t, CS_TRUTH_LOAD);
}

void cs_truth_software(cs_truth *t, unsigned cpu, cs_truth_span span, const char *who)
{
    cs_truth_integers(t, CS_TRUTH_SOFTWARE, 1, (uint64_t[]){cpu, span.start, span.stop}, 3);
    cs_truth_text(t, CS_TRUTH_SOFTWARE, 4, who);
    cs_truth_put(t, CS_TRUTH_SOFTWARE);
}
