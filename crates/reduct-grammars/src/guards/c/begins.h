#ifndef __REDUCT_GUARDS
#define __REDUCT_GUARDS
#pragma GCC diagnostic ignored "-Wpedantic"
#line 1000000
/* What the guards of a file call. The library that records is preloaded: it answers when it is asked for this name, which no variable
   can have. Without it, or before it is asked, everything is executed. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Weverything"
#else
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wreturn-type"
#pragma GCC diagnostic ignored "-Wmisleading-indentation"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wdeclaration-after-statement"
#pragma GCC diagnostic ignored "-Wjump-misses-init"
#pragma GCC diagnostic ignored "-Wswitch-unreachable"
#pragma GCC diagnostic ignored "-Wmissing-braces"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wempty-body"
#pragma GCC diagnostic ignored "-Wdangling-else"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wnull-dereference"
#pragma GCC diagnostic ignored "-Wunreachable-code"
#pragma GCC diagnostic ignored "-Wsuggest-attribute=noreturn"
#pragma GCC diagnostic ignored "-Wmissing-noreturn"
#pragma GCC diagnostic ignored "-Wclobbered"
#pragma GCC diagnostic ignored "-Winline"
#pragma GCC diagnostic ignored "-Waggregate-return"
#pragma GCC diagnostic ignored "-Wframe-larger-than="
#pragma GCC diagnostic ignored "-Wstack-usage="
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-truncation"
#pragma GCC diagnostic ignored "-Wformat-overflow"
#pragma GCC diagnostic ignored "-Wformat-truncation"
#pragma GCC diagnostic ignored "-Wlong-long"
#pragma GCC diagnostic ignored "-Wc++-compat"
#pragma GCC diagnostic ignored "-Wc90-c99-compat"
#pragma GCC diagnostic ignored "-Wc99-c11-compat"
#pragma GCC diagnostic ignored "-Wredundant-decls"
#pragma GCC diagnostic ignored "-Wnested-externs"
#pragma GCC diagnostic ignored "-Wduplicated-branches"
#pragma GCC diagnostic ignored "-Waddress"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wvla"
#pragma GCC diagnostic ignored "-Wtraditional"
#pragma GCC diagnostic ignored "-Wcast-qual"
#endif
struct __reduct_runtime {
    int (*asked)(int *, int, int);
    int (*entered)(void);
    void (*left)(int *);
    void (*again)(int *, int);
    void (*noted)(int *, int, const char *, int, ...);
    int (*looks)(int *, int);
    int (*readable)(const void *, unsigned long);
};
extern char *__reduct_found(const char *) __asm__("getenv");
static struct __reduct_runtime *__reduct_r;
__attribute__((__constructor__(101), __unused__)) static void __reduct_begin(void) {
#ifdef __OPTIMIZE__
    __reduct_r = (struct __reduct_runtime *)(void *)__reduct_found("=reduct guards, optimised");
#else
    __reduct_r = (struct __reduct_runtime *)(void *)__reduct_found("=reduct guards");
#endif
}
__attribute__((__unused__)) static void __reduct_left(void *frame) {
    if (__reduct_r) __reduct_r->left((int *)frame);
}
#define __reduct_frame(size) int __reduct_f[size] __attribute__((__cleanup__(__reduct_left))) = {__reduct_r ? __reduct_r->entered() : 0}
#define __reduct_k(number, depth) (!__reduct_r || __reduct_r->asked(__reduct_f, number, depth))
#define __reduct_c(depth) (__reduct_r ? __reduct_r->again(__reduct_f, depth) : (void)0)
/* A pointer without a value is one that no program has, and another one at each place: see driver/faults.h of reduct-trace. Whether a
   variable of a type that has a name is a pointer, and no array, is asked without evaluating it. */
#define __reduct_p(place) ((void *)(0x6b0000000000 + (place) * 0x400000L))
#define __reduct_n(value, place) \
    __builtin_choose_expr(__builtin_classify_type(value) == 5 && \
                          __builtin_types_compatible_p(__typeof__(value), __typeof__((0, value))), __reduct_p(place), 0)
/* Zeroes an array without a value, but for one that is so large that this would take long in a function that is called often. */
#define __reduct_z(array) (void)__builtin_memset((void *)(array), 0, sizeof(array) <= 0x10000 ? sizeof(array) : 0)
#define __reduct_v(depth, name, value) \
    (__reduct_r && __reduct_r->noted ? __reduct_r->noted(__reduct_f, depth, name, __reduct_kind(value), __reduct_o(value)) : (void)0)
/* Before a statement is executed, what it reads is looked at, if that is asked for. */
#define __reduct_l(depth) (__reduct_r && __reduct_r->looks && __reduct_r->looks(__reduct_f, depth))
#define __reduct_a(pointer) __reduct_r->readable((const void *)(pointer), sizeof *(pointer))
#define __reduct_w(depth, name, value) __reduct_r->noted(__reduct_f, depth, "<" name, __reduct_kind(value), __reduct_o(value))
/* What is not shown, such as a structure, is not copied: there may be no room for it. A compiler that finds an error in the value says nothing
   of this line, which is in no function. */
#define __reduct_o(value) _Generic((char (*)[1 + (__reduct_kind(value) != 0)])0, char (*)[2]: value, default: 0)
#define __reduct_kind(value) \
    _Generic((value), char: 'i', signed char: 'i', unsigned char: 'i', short: 'i', unsigned short: 'i', int: 'i', _Bool: 'i', \
             unsigned: 'u', long: 'l', unsigned long: 'm', long long: 'q', unsigned long long: 'r', float: 'd', double: 'd', \
             long double: 'D', char *: 's', const char *: 's', default: __builtin_classify_type(value) == 5 ? 'p' : 0)
#endif
#line 1
