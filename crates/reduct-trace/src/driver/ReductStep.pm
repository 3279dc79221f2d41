package ReductStep;
# Loads the driver. It leaves no module behind that the program could see.
BEGIN {
    my ($library, $instructions, $own) = map { pack 'H*', $_ } qw(PATHS);
    package DynaLoader;
    boot_DynaLoader('DynaLoader') if defined(&boot_DynaLoader) && !defined(&dl_error);
    my $file = dl_load_file($library, 0) or die "reduct step: $library: ", dl_error(), "\n";
    my $begin = dl_find_symbol($file, 'reduct_step') or die "reduct step: $library: ", dl_error(), "\n";
    dl_install_xsub('ReductStep::begin', $begin, $library);
    ReductStep::begin($instructions);
    @INC = grep { ref || $_ ne $own } @INC;
    unlink $instructions, "$own/ReductStep.pm";
    rmdir $own;
}
delete $INC{'ReductStep.pm'};
1;
