/* test SOCKET FILE: asks server.py to read a file, says what it says, and ends as it would. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    char path[4096], said[4096], status = 125;
    if (count != 3 || strlen(words[1]) >= sizeof place.sun_path || !realpath(words[2], path)) return 125;
    strcpy(place.sun_path, words[1]);
    strcat(path, "\n");
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(server, (struct sockaddr *)&place, sizeof place) != 0) return 125;
    if (write(server, path, strlen(path)) < 0 || read(server, &status, 1) != 1) return 125;
    for (ssize_t n; (n = read(server, said, sizeof said)) > 0;)
        if (write(2, said, n) < 0) break;
    return status;
}
