use strict; use warnings; use Time::Local; use POSIX 'strftime';
for my $y (1970, 1999, 2000, 2024, 2037) { for my $m (0, 1, 6, 11) { for my $d (1, 28, 29, 31) { my $t = eval { timegm(1, 2, 3, $d, $m, $y) }; print "$y $m $d ", defined $t ? "$t " . strftime('%F %T', gmtime $t) : "error: $@", "\n"; } } }
$ENV{TZ} = 'Europe/Berlin'; POSIX::tzset(); print timelocal(0, 30, 2, 26, 2, 2023), ' ', timelocal(0, 30, 2, 29, 9, 2023), "\n";
print eval { timegm(61, 0, 0, 1, 0, 2000) } // $@, eval { Time::Local::timegm_modern(0, 0, 0, 1, 0, 1900) } // $@, "\n";
