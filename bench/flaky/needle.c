/* Fails in half of its runs where the failure is: if the words of three lines are there. `needle FILE certain` does so
   in each run, which is the check without chance. */
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

int main(int argc, char **argv) {
    static char text[1 << 16];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file) return 125;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    if (!strstr(text, "alpha") || !strstr(text, "beta") || !strstr(text, "gamma")) return 0;
    unsigned char chance = 0;
    if (argc == 2 && getrandom(&chance, 1, 0) != 1) return 125;
    if (chance >= 128) return 0;
    fputs("assertion failed: alpha, beta and gamma\n", stderr);
    return 1;
}
