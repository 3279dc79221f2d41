use strict; use warnings; use Getopt::Long qw(GetOptionsFromArray :config no_ignore_case bundling); use Getopt::Std;
for my $l ('-vvx3 --name=n --list a --list=b --def k=v --def=q=r rest -- --no', '--nope', '--num abc', '--no-flag -abc', '--size', '--name') {
  my %o; my @a = split ' ', $l; local $SIG{__WARN__} = sub { print "warn: @_" };
  my $ok = GetOptionsFromArray(\@a, \%o, 'v+', 'x=i', 'name|n=s', 'list=s@', 'def=s%', 'num=f', 'flag!', 'a', 'b', 'c', 'size:i', '<>' => sub { print "arg $_[0]\n" });
  print $ok ? 1 : 0, ' ', join(' ', map { my $v = $o{$_}; "$_=" . (ref $v eq 'ARRAY' ? "[@$v]" : ref $v ? join(',', map { "$_:$v->{$_}" } sort keys %$v) : $v) } sort keys %o), " left @a\n"; }
@ARGV = qw(-a -b 3 x); my %s; getopts('ab:', \%s); print join(' ', map { "$_$s{$_}" } sort keys %s), " @ARGV\n";
