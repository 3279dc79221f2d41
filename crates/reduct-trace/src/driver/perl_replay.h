/* Recorded control (Cleve and Zeller 2000): the statements of the main program run one after the other, in the order in which they
   were executed. Part of perl.c; what it needs of the statements is in perl_statements.h. */

/* Runs what is kept of the main program, and ends. */
static void replay(pTHX) {
    replaying = PL_curstackinfo;
    struct frame *main_frame = frame_of(aTHX_ 0);
    for (int32_t number = 1; number <= run.executed; number++) {
        uint32_t place = run.statement[number];
        if (!place || run.depths[number] != 1 || !run.kept[number]) continue;
        size_t at = 0;
        while (at < alls && !(all[at].is_main && all[at].number == place)) at++;
        if (at == alls) give_up("a statement is not there that was recorded");
        struct statement *it = &all[at];
        /* The test of a loop has no effects, and goes where it went. */
        if (OpSIBLING((OP *)it->cop)->op_type == OP_LEAVELOOP) continue;
        OP *before = PL_op;
        I32 contexts = cxstack_ix;
        set_under_way(main_frame, 0, now = number);
        PL_curcop = it->cop;
        PL_op = ((OP *)it->cop)->op_next;
        CALLRUNOPS(aTHX);
        if (cxstack_ix > contexts) dounwind(contexts);
        PL_op = before;
        FREETMPS;
        while (active > 1) end_frame();
        main_frame = &frames[0];
        if (values) write_values(aTHX_ it, number);
    }
    my_exit(0);
}

/* In a statement that is run by itself, control goes nowhere else. */
static OP *on_control(pTHX) { return is_replayed(aTHX) ? NULL : original[PL_op->op_type](aTHX); }

static void hook_control(pTHX) {
    static const int types[] = {OP_UNSTACK, OP_LEAVELOOP, OP_LEAVE, OP_NEXT, OP_LAST, OP_REDO};
    for (size_t at = 0; at < sizeof types / sizeof *types; at++) hook(aTHX_ types[at], on_control);
}
