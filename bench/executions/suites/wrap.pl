use strict; use warnings; use Text::Wrap qw(wrap fill $columns $huge); use Text::Tabs; use Text::ParseWords; use Text::Abbrev;
my $t = join ' ', map { 'word' x ($_ % 4 + 1) } 1 .. 60;
for $columns (20, 33, 76) { print wrap("* ", "  ", $t), "\n"; print fill(" ", "", "$t\n\n$t"), "\n"; }
$columns = 10; $huge = 'overflow'; print wrap('', '', 'abcdefghijklmnop q'), "\n";
print expand("a\tb\n\tc"), unexpand("        x       y"), "\n";
print join('|', shellwords(q{a "b c" d\ e 'f g' h"i"j})), '|', join('|', quotewords(',', 1, q{a,"b,c",d})), "\n";
my %a = abbrev(qw(list load quit)); print join(' ', map { "$_=$a{$_}" } sort keys %a), "\n";
