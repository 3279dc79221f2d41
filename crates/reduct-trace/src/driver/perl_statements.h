/* The statements of a program: found when Perl has compiled a function or a file. Part of perl.c. */

static peep_t peep;

static int is_state(OP *op) { return op->op_type == OP_NEXTSTATE || op->op_type == OP_DBSTATE; }

/* Returns where a statement ends, or NULL if there is none. */
static OP *end_of(OP *state) {
    OP *last = OpSIBLING(state);
    if (!last || is_state(last)) return NULL;
    for (OP *next; (next = OpSIBLING(last)) && !is_state(next); last = next)
        /* What ends the iteration of a loop is no part of the last statement in it. */
        if (next->op_type == OP_UNSTACK && !(next->op_flags & OPf_SPECIAL)) break;
    return last->op_type == OP_UNSTACK || (last->op_type == OP_NULL && !last->op_next) ? NULL : last;
}

/* A file: whether it is looked into, what the plan calls it, and its text. */
struct source {
    char *path, *name, *text;
    char **lines;
    size_t count;
    int is_looked_into;
};
static struct source *sources;
static size_t sources_count;

static void read_lines(struct source *it, const char *path) {
    FILE *file = described ? fopen(path, "re") : NULL;
    char *text = NULL;
    size_t size = 0;
    ssize_t length;
    while (file && (length = getline(&text, &size, file)) > 0) {
        while (length && (text[length - 1] == '\n' || text[length - 1] == '\r')) text[--length] = 0;
        it->lines = must(realloc(it->lines, (it->count + 1) * sizeof *it->lines));
        it->lines[it->count++] = must(strdup(text));
    }
    free(text);
    if (file) fclose(file);
}

/* Returns how long the part of a path is that is a folder. */
static size_t within(const char *path, const char *folder) {
    size_t length = strlen(folder);
    while (length && folder[length - 1] == '/') length--;
    return !strncmp(path, folder, length) && (path[length] == '/' || !path[length]) ? length + 1 : 0;
}

/* Returns whether a file is one of the user's: a folder that is named counts, even if Perl keeps modules in it. */
static int is_looked_into(const char *path) {
    size_t best = 0;
    /* Perl's own folders of modules. */
    static const char *const not_into[] = {NOT_INTO NULL};
    for (size_t at = 0; at < run.intos; at++) {
        char *folder = realpath(run.into[at], NULL);
        size_t length = folder ? within(path, folder) : 0;
        best = length > best ? length : best;
        free(folder);
    }
    for (size_t at = 0; best && not_into[at]; at++) {
        if (within(path, not_into[at]) > best) return 0;
    }
    return best && !strstr(path + best - 1, "/local/lib/perl5/");
}

/* Returns what is known of a file, by the name that Perl has for it. */
static struct source *source_of(const char *file) {
    for (size_t at = 0; at < sources_count; at++)
        if (!strcmp(sources[at].path, file)) return &sources[at];
    sources = must(realloc(sources, (sources_count + 1) * sizeof *sources));
    struct source *it = &sources[sources_count++];
    memset(it, 0, sizeof *it);
    it->path = must(strdup(file));
    char *real = realpath(file, NULL), *here = getcwd(NULL, 0);
    it->is_looked_into = real && is_looked_into(real);
    if (it->is_looked_into) {
        char *whole = realpath(here ? here : ".", NULL);
        size_t part = whole ? within(real, whole) : 0;
        it->name = must(strdup(real + part));
        read_lines(it, real);
        free(whole);
    }
    free(real);
    free(here);
    return it;
}

/* Describes a statement for the listing. */
static void describe(struct statement *it, struct source *source, uint32_t number, uint32_t nth, int is_iteration, const char *function) {
    if (!described) return;
    uint32_t line = CopLINE(it->cop);
    const char *text = line && line <= source->count ? source->lines[line - 1] : "";
    fprintf(described, "[%u, ", number);
    json_text(described, source->name, strlen(source->name));
    fprintf(described, ", %u, %u, %s, ", line, nth, is_iteration ? "true" : "false");
    json_text(described, text, strlen(text));
    fputs(", ", described);
    json_text(described, function, strlen(function));
    fputs("]\n", described);
    fflush(described);
}

/* Refuses what cannot be run one statement after the other. */
static void refuse(COP *cop, const char *what) {
    char why[400];
    snprintf(why, sizeof why, "with recorded control, the main part of a Perl program may have if, unless, while, until and plain loops; "
             "line %u has %s", (unsigned)CopLINE(cop), what);
    give_up(why);
}

static void check_replayable(COP *cop, OP *op, int is_in_loop, int may_hold) {
    int is_state_here = is_state(op), type = op->op_type;
    if (is_state_here && !may_hold) refuse(cop, "a block within an expression");
    if (type == OP_ENTERITER) refuse(cop, "a loop over a list");
    int is_effect = type == OP_ENTERSUB || type == OP_READLINE || (op->op_flags & OPf_MOD && !(op->op_flags & OPf_REF));
    if (is_in_loop && is_effect && type != OP_NULL) refuse(cop, "a test of a loop that does more than to test");
    int holds = type == OP_LEAVELOOP || type == OP_AND || type == OP_OR || type == OP_COND_EXPR || type == OP_LINESEQ ||
                type == OP_SCOPE || type == OP_LEAVE || type == OP_NULL || type == OP_NOT;
    if (!(op->op_flags & OPf_KIDS) || is_state_here) return;
    int is_body = 0;
    for (OP *kid = cUNOPx(op)->op_first; kid; kid = OpSIBLING(kid)) {
        /* The statements within are looked at when they are taken. */
        is_body |= is_state(kid);
        if (is_body && !is_state(kid)) continue;
        check_replayable(cop, kid, is_in_loop || type == OP_LEAVELOOP, may_hold && holds);
    }
}

static void must_be_replayable(OP *state, OP *last) {
    for (OP *part = OpSIBLING(state); part; part = part == last ? NULL : OpSIBLING(part)) check_replayable((COP *)state, part, 0, 1);
}

/* Which statements are being looked at. */
struct looking {
    const char *function;
    int is_main, is_first;
    /* Whether it is in the body of a loop, not in what the loop goes over. */
    int is_body;
};

/* Takes a statement. Returns its place among all of them. */
static int take_statement(pTHX_ COP *cop, OP *last, int depth, int within_of, int begins_body, struct looking *looking) {
    struct source *source = source_of(CopFILE(cop));
    if (!source->is_looked_into) return -1;
    uint32_t file = 0;
    for (const char *c = source->name; *c; c++) file = file * 31 + (unsigned char)*c;
    uint32_t *count = place_of(&on_line, file, CopLINE(cop), 1);
    uint32_t nth = *count = *count == NOBODY ? 1 : *count + 1;
    all = must(realloc(all, (alls + 1) * sizeof *all));
    struct statement *it = &all[alls];
    memset(it, 0, sizeof *it);
    *it = (struct statement){.cop = cop, .last = last, .within = within_of, .is_first = looking->is_first};
    it->begins_body = begins_body;
    it->is_main = looking->is_main;
    it->depth = looking->is_main && run.follows ? 0 : depth;
    it->number = statement_at(source->name, CopLINE(cop), 2 * nth);
    looking->is_first = 0;
    uint64_t address = (uint64_t)(uintptr_t)cop;
    *place_of(&by_cop, (uint32_t)address, (uint32_t)(address >> 32), 0) = (uint32_t)alls;
    for (OP *part = OpSIBLING((OP *)cop); part; part = part == last ? NULL : OpSIBLING(part)) assigns(aTHX_ it, part);
    describe(it, source, it->number, nth, 0, looking->function);
    if (it->lists) {
        it->iteration = statement_at(source->name, CopLINE(cop), 2 * nth + 1);
        describe(it, source, it->iteration, nth, 1, looking->function);
    }
    if (begins_body && within_of >= 0 && all[within_of].lists && looking->is_body) {
        it->body_last = last;
        for (OP *next; (next = OpSIBLING(it->body_last)) && next->op_type != OP_UNSTACK;) it->body_last = next;
    }
    return (int)alls++;
}

/* Forgets the statement that stood where Perl has compiled another one: it was freed, with its file, its text or its function. */
static void forget(OP *op) {
    uint64_t address = (uint64_t)(uintptr_t)op;
    uint32_t at = found(&by_cop, (uint32_t)address, (uint32_t)(address >> 32), 0);
    if (at != NOBODY && all[at].cop == (COP *)op) all[at].cop = NULL;
}

/* Takes the statements below an op. */
static void statements_below(pTHX_ OP *parent, int depth, int within_of, struct looking *looking) {
    int begins_body = 1, inner = within_of, inner_depth = depth;
    for (OP *kid = cUNOPx(parent)->op_first; kid; kid = OpSIBLING(kid)) {
        if (is_state(kid)) {
            forget(kid);
            OP *last = CopFILE((COP *)kid) ? end_of(kid) : NULL;
            inner = within_of, inner_depth = depth;
            int at = last ? take_statement(aTHX_ (COP *)kid, last, depth, within_of, begins_body, looking) : -1;
            /* Between a loop over a list and what is in it are its iterations. */
            if (at >= 0) inner = at, inner_depth = depth + 1 + all[at].lists, begins_body = 0;
            if (at >= 0 && looking->is_main && run.follows) must_be_replayable(kid, last);
        } else if (kid->op_flags & OPf_KIDS) {
            int was_body = looking->is_body;
            if (parent->op_type == OP_LEAVELOOP) looking->is_body = kid->op_type != OP_ENTERITER;
            statements_below(aTHX_ kid, inner_depth, inner, looking);
            looking->is_body = was_body;
        }
    }
}

/* Is called when Perl has compiled a function, a file or a text. */
static void on_compiled(pTHX_ OP *start) {
    peep(aTHX_ start);
    OP *root = start;
    for (OP *up; root && (up = op_parent(root)); root = up) {}
    if (!root || !(root->op_flags & OPf_KIDS)) return;
    int is_main = PL_main_start == start;
    struct looking looking = {"<main>", is_main, !is_main, 0};
    char *name = NULL;
    if (PL_compcv && !is_main && CvNAMED(PL_compcv)) name = HEK_KEY(CvNAME_HEK(PL_compcv));
    else if (PL_compcv && !is_main && CvGV(PL_compcv)) name = GvNAME(CvGV(PL_compcv));
    else if (PL_subname && SvPOK(PL_subname) && !is_main) name = SvPVX(PL_subname);
    if (name && strncmp(name, "main::", 6) == 0) name += 6;
    if (name) looking.function = name;
    statements_below(aTHX_ root, 0, -1, &looking);
}

/* Gives the package variables that the main program assigns to a value, before they get their own. */
static void preset(pTHX) {
    for (size_t at = 0; run.unset && at < alls; at++)
        for (size_t of = 0; all[at].is_main && of < all[at].assigned; of++) {
            struct variable *it = &all[at].variables[of];
            if (!it->global || it->sigil != '$' || !isALPHA(it->name[1])) continue;
            size_t length = strlen(run.unset);
            char *text = run.unset;
            int is_quoted = length > 1 && (*text == '\'' || *text == '"') && text[length - 1] == *text;
            SV *value = is_quoted ? newSVpvn(text + 1, length - 2) : newSVpvn(text, length);
            sv_setsv(GvSVn(it->global), value);
            if (!is_quoted && looks_like_number(value)) sv_setnv(GvSVn(it->global), SvNV(value));
            SvREFCNT_dec(value);
        }
}
