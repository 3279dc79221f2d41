use strict; use warnings; use Text::Balanced qw(extract_bracketed extract_delimited extract_quotelike extract_codeblock extract_variable extract_tagged extract_multiple);
for my $t ('(a (b) c) rest', '[x}', '{ {"}"} } z', '"q\"s" t', 'q{a{b}c} x', '<<EOT . "x";
body
EOT
tail', '$a->{b}[0]->c(1) z', '<b>t<i>u</i></b> v', 's/a/b/gx;', '{ my $x = "}"; } k') {
  my @all = ([extract_bracketed($t, '()[]{}"')], [extract_delimited($t, '"/')], [extract_quotelike($t)], [extract_codeblock($t, '{}')], [extract_variable($t)], [extract_tagged($t)]);
  print join(' | ', map { join ',', map { defined ? $_ : 'undef' } @$_ } @all), ' ', ($@ ? "$@" : ''), "\n";
}
print join('|', map { ref ? ref($_) . $$_ : $_ } extract_multiple('a "b" c(d) {e}', [ sub { extract_quotelike($_[0]) }, sub { extract_bracketed($_[0], '()') }, { K => sub { extract_codeblock($_[0], '{}') } } ], undef, 0)), "\n";
