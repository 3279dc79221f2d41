/* A persistent test in C: `cc -O2 -o server server.c`, then `reduct page.html --persistent -- ./server`.
 *
 * A fork server: what is slow to prepare is prepared once, and each test is run in a child, so that what it breaks,
 * leaks or leaves behind goes with it. The answer is how the child ended. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Put what you test here. What it prints, to either stream, goes to standard error. */
static int test(const char *contents, size_t length)
{
    const char *begin = memmem(contents, length, "<SELECT", 7);
    if (begin && memchr(begin, '>', contents + length - begin)) {
        fprintf(stderr, "assertion failed: a tag that cannot be printed\n");
        abort();
    }
    return 0;
}

int main(void)
{
    /* Answers go where standard output went; nothing else may. */
    FILE *answers = fdopen(dup(1), "w");
    dup2(2, 1);
    fprintf(answers, "reduct 1\n");
    fflush(answers);

    size_t length;
    while (scanf("%*s %zu", &length) == 1) {
        getchar(); /* the end of the line */
        char *contents = malloc(length + 1);
        if (!contents || fread(contents, 1, length, stdin) != length)
            return 1;
        contents[length] = 0;
        pid_t child = fork();
        if (child == 0) {
            int status = test(contents, length);
            fflush(NULL);
            _exit(status);
        }
        int how;
        if (child < 0 || waitpid(child, &how, 0) < 0)
            return 1;
        free(contents);
        if (WIFSIGNALED(how))
            fprintf(answers, "signal %d\n", WTERMSIG(how));
        else
            fprintf(answers, "exit %d\n", WEXITSTATUS(how));
        fflush(answers);
    }
    return 0;
}
