use strict; use warnings; use JSON::PP;
my $j = JSON::PP->new->canonical->pretty->allow_nonref->utf8;
for my $t ('{"a":[1,2.5,-3e2,"x\u00e9\n",true,null],"b":{"c":{}}}', '[1,]', '"\ud83d\ude00"', '{"a" 1}', '[1,2', 'tru', '12345678901234567890', '{"x":"\q"}') { my $d = eval { $j->decode($t) }; print defined $d ? $j->encode($d) : "error: $@"; print "\n"; }
print $j->indent(0)->encode({ k => [1, "2", \1, \0, undef, { z => "\x{263a}" }] }), "\n";
my $i = JSON::PP->new; $i->incr_parse($_) for '[1,', '{"a":', '2}]', ' [3]'; while (my $o = $i->incr_parse) { print ref $o, scalar @$o, "\n"; }
print eval { JSON::PP->new->encode({ x => sub {} }) } // $@;
