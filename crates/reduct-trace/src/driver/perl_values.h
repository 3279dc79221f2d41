/* What statements assign. Part of perl.c. */

/* Of a value, so many characters are kept, and so deep it is shown. */
#define LONGEST_VALUE 200
#define DEEPEST_VALUE 3

static void may_assign(struct statement *it, PADOFFSET pad, GV *global, const char *name) {
    for (size_t at = 0; at < it->assigned; at++)
        if (!strcmp(it->variables[at].name, name)) return;
    it->variables = must(realloc(it->variables, (it->assigned + 1) * sizeof *it->variables));
    it->variables[it->assigned++] = (struct variable){pad, global, *name, must(strdup(name))};
}

static void may_assign_pad(pTHX_ struct statement *it, PADOFFSET pad) {
    PADNAME **names = PL_comppad_name ? PadnamelistARRAY(PL_comppad_name) : NULL;
    PADNAME *name = names && (SSize_t)pad <= PadnamelistMAX(PL_comppad_name) ? names[pad] : NULL;
    if (name && PadnamePV(name) && PadnameLEN(name) > 1) may_assign(it, pad, NULL, PadnamePV(name));
}

static void may_assign_global(struct statement *it, GV *global, char sigil) {
    if (!global || !isGV_with_GP(global)) return;
    char name[260];
    snprintf(name, sizeof name, "%c%.250s", sigil, GvNAME(global));
    may_assign(it, 0, global, name);
}

/* Finds the variables that a statement may assign to, but for those of statements within it. */
static void assigns(pTHX_ struct statement *it, OP *op) {
    OP *first = op->op_flags & OPf_KIDS ? cUNOPx(op)->op_first : NULL;
    int is_changed = op->op_flags & OPf_MOD;
    /* Of a loop over a list, the loop's own variable says which iteration it is. A function may change its arguments, but rarely does. */
    if (it->lists || op->op_type == OP_ENTERSUB) return;
    switch (op->op_type) {
    case OP_PADSV: case OP_PADAV: case OP_PADHV:
        if (is_changed) may_assign_pad(aTHX_ it, op->op_targ);
        break;
    case OP_GVSV:
        if (is_changed) may_assign_global(it, cGVOPx_gv(op), '$');
        break;
    case OP_NULL:
        /* The optimiser has made one op of two. */
        if (is_changed && op->op_targ == OP_RV2SV && first && first->op_type == OP_GVSV) may_assign_global(it, cGVOPx_gv(first), '$');
        break;
    case OP_RV2SV: case OP_RV2AV: case OP_RV2HV:
        if (is_changed && first && first->op_type == OP_GV)
            may_assign_global(it, cGVOPx_gv(first), op->op_type == OP_RV2SV ? '$' : op->op_type == OP_RV2AV ? '@' : '%');
        break;
    case OP_ENTERITER:
        it->assigned = 0;
        if (op->op_targ) may_assign_pad(aTHX_ it, op->op_targ);
        for (OP *kid = first; kid; kid = OpSIBLING(kid))
            if (kid->op_type == OP_GV) may_assign_global(it, cGVOPx_gv(kid), '$');
            else if (kid->op_type == OP_RV2GV && cUNOPx(kid)->op_first->op_type == OP_GV)
                may_assign_global(it, cGVOPx_gv(cUNOPx(kid)->op_first), '$');
        it->is_loop = it->lists = 1;
        break;
    case OP_LEAVELOOP:
        it->is_loop = 1;
        break;
    default:
        /* The result of many operators goes to a variable by itself. */
        if ((PL_opargs[op->op_type] & OA_TARGLEX) && (op->op_private & OPpTARGET_MY)) may_assign_pad(aTHX_ it, op->op_targ);
        #if PERL_VERSION >= 38
        if (op->op_type == OP_PADSV_STORE) may_assign_pad(aTHX_ it, op->op_targ);
        #endif
    }
    for (OP *kid = first; kid && kid->op_type != OP_NEXTSTATE && kid->op_type != OP_DBSTATE; kid = OpSIBLING(kid)) assigns(aTHX_ it, kid);
}

struct shown {
    char text[LONGEST_VALUE + 1];
    size_t length;
};

static void show(struct shown *to, const char *text, size_t length) {
    for (size_t at = 0; at < length && to->length < LONGEST_VALUE; at++) to->text[to->length++] = text[at];
}
static void show_text(struct shown *to, const char *text) { show(to, text, strlen(text)); }

static void show_quoted(struct shown *to, const char *text, size_t length) {
    show_text(to, "'");
    for (size_t at = 0; at < length; at++) {
        if (text[at] == '\n') show_text(to, "\\n");
        else if (text[at] == '\t') show_text(to, "\\t");
        else show(to, text + at, 1);
    }
    show_text(to, "'");
}

static void show_scalar(pTHX_ struct shown *to, SV *value, int depth);

static void show_array(pTHX_ struct shown *to, AV *array, int depth, const char *ends) {
    show(to, ends, 1);
    if (SvMAGICAL((SV *)array)) show_text(to, "...");
    for (SSize_t at = 0; !SvMAGICAL((SV *)array) && at <= AvFILLp(array) && to->length < LONGEST_VALUE; at++) {
        if (at) show_text(to, ", ");
        show_scalar(aTHX_ to, AvARRAY(array)[at], depth + 1);
    }
    show(to, ends + 1, 1);
}

static int by_name(const void *one, const void *other) { return strcmp(*(char *const *)one, *(char *const *)other); }

static void show_hash(pTHX_ struct shown *to, HV *hash, int depth, const char *ends) {
    show(to, ends, 1);
    size_t count = SvMAGICAL((SV *)hash) ? 0 : HvUSEDKEYS(hash), at = 0;
    char **names = count ? must(calloc(count, sizeof *names)) : NULL;
    HE **buckets = HvARRAY(hash);
    /* Without Perl's own iterator: the program may be using it. */
    for (size_t bucket = 0; names && buckets && bucket <= HvMAX(hash); bucket++)
        for (HE *it = buckets[bucket]; it && at < count; it = HeNEXT(it))
            if (HeVAL(it) != &PL_sv_placeholder && HeKLEN(it) >= 0) names[at++] = HeKEY(it);
    qsort(names, at, sizeof *names, by_name);
    for (size_t of = 0; of < at && to->length < LONGEST_VALUE; of++) {
        SV **value = hv_fetch(hash, names[of], (I32)strlen(names[of]), 0);
        if (of) show_text(to, ", ");
        show_text(to, names[of]);
        show_text(to, " => ");
        show_scalar(aTHX_ to, value ? *value : NULL, depth + 1);
    }
    free(names);
    show(to, ends + 1, 1);
}

static void show_scalar(pTHX_ struct shown *to, SV *value, int depth) {
    char number[64];
    if (!value || (SvMAGICAL(value) && !SvOK(value)) || !SvOK(value)) show_text(to, "undef");
    else if (SvROK(value)) {
        SV *what = SvRV(value);
        if (SvOBJECT(what)) show_text(to, sv_reftype(what, 1));
        if (depth > DEEPEST_VALUE) show_text(to, "...");
        else if (SvTYPE(what) == SVt_PVAV) show_array(aTHX_ to, (AV *)what, depth, "[]");
        else if (SvTYPE(what) == SVt_PVHV) show_hash(aTHX_ to, (HV *)what, depth, "{}");
        else if (SvTYPE(what) == SVt_PVCV) show_text(to, "sub {...}");
        else if (SvTYPE(what) < SVt_PVAV) {
            show_text(to, "\\");
            show_scalar(aTHX_ to, what, depth + 1);
        } else show_text(to, "...");
    } else if (SvPOK(value)) {
        char *text = SvPVX(value);
        if (looks_like_number(value) && SvNIOK(value)) show(to, text, SvCUR(value));
        else show_quoted(to, text, SvCUR(value));
    } else if (SvIOK(value)) {
        snprintf(number, sizeof number, SvIsUV(value) ? "%llu" : "%lld", (long long)SvIVX(value));
        show_text(to, number);
    } else if (SvNOK(value)) {
        snprintf(number, sizeof number, "%.15g", (double)SvNVX(value));
        show_text(to, number);
    } else show_text(to, "...");
}

/* Writes what a statement has assigned. */
static void write_values(pTHX_ struct statement *it, int32_t execution) {
    if (run.is_child || execution <= 0 || !it->assigned) return;
    fprintf(values, "[%d, {", (int)execution);
    for (size_t at = 0; at < it->assigned; at++) {
        struct variable *variable = &it->variables[at];
        struct shown shown = {{0}, 0};
        SV *in_pad = variable->global ? NULL : PL_curpad[variable->pad];
        GV *global = variable->global;
        if (variable->sigil == '$') show_scalar(aTHX_ &shown, global ? GvSV(global) : in_pad, 0);
        else if (variable->sigil == '@') {
            AV *array = global ? GvAV(global) : (AV *)in_pad;
            if (array && SvTYPE((SV *)array) == SVt_PVAV) show_array(aTHX_ &shown, array, 0, "()");
        } else {
            HV *hash = global ? GvHV(global) : (HV *)in_pad;
            if (hash && SvTYPE((SV *)hash) == SVt_PVHV) show_hash(aTHX_ &shown, hash, 0, "()");
        }
        if (at) fputs(", ", values);
        json_text(values, variable->name, strlen(variable->name));
        fputs(": ", values);
        json_text(values, shown.text, shown.length);
    }
    fputs("}]\n", values);
    fflush(values);
}
