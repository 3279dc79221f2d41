use strict; use warnings; use Test::More; 
ok(1, 'one'); is(2, 2, 'two'); is_deeply({ a => [1, { b => 2 }] }, { a => [1, { b => 2 }] }, 'deep'); like('abc', qr/b/, 'like'); isnt(1, 2); cmp_ok(3, '<', 4, 'cmp'); can_ok('Test::More', 'ok');
subtest inner => sub { plan tests => 2; ok 1; pass 'p' }; TODO: { local $TODO = 'later'; ok(0, 'todo'); } SKIP: { skip 'why', 2; } isa_ok([], 'ARRAY'); note explain { x => 1 };
is_deeply([1, 2, { c => 3 }], [1, 2, { c => 4 }], 'fails'); is('a', 'b', 'fails too'); done_testing;
