use strict; use warnings; use Data::Dumper; $Data::Dumper::Useperl = 1; $Data::Dumper::Sortkeys = 1;
my $d = { a => [1, 'two', 3.5, undef, \'s'], h => { 'k-1' => qr/x+/i, 10 => sub { 1 } }, u => "\x{263a}\n" }; $d->{self} = $d; push @{ $d->{a} }, $d->{h};
for my $i (0 .. 3) { local $Data::Dumper::Indent = $i; for my $t (0, 1) { local $Data::Dumper::Terse = $t; for my $q (0, 1) { local $Data::Dumper::Useqq = $q; local $Data::Dumper::Deepcopy = $q; print Dumper($d, [1, 2]); } } }
print Data::Dumper->new([$d->{h}], ['*h'])->Maxdepth(1)->Pair(': ')->Quotekeys(0)->Dump, Data::Dumper->Dump([bless([1], 'K')], ['k']);
