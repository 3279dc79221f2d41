/* A program with a window, a print dialog and an error, as in the book: Alt+P opens the dialog; a press of its button
   arms it, and the release prints. Printing is what crashes. Everything else is harmless: what is typed is shown,
   moving the pointer shows where it is. Built with: cc browser.c -o browser -lX11 */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/keysym.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Display *display;
static Window window, dialog, button;
static int is_open, is_armed;
static char field[256];

static void draw(int x, int y) {
    char place[64];
    GC gc = DefaultGC(display, DefaultScreen(display));
    XClearWindow(display, window);
    XDrawString(display, window, gc, 10, 20, field, (int)strlen(field));
    snprintf(place, sizeof place, "%d, %d", x, y);
    XDrawString(display, window, gc, 10, 40, place, (int)strlen(place));
    if (is_open)
        XDrawString(display, button, gc, 40, 25, "Print", 5);
}

static void show_dialog(void) {
    if (is_open)
        return;
    /* In the middle, with its button in its own middle: there the pointer is as long as nothing moves it. */
    dialog = XCreateSimpleWindow(display, window, 490, 412, 300, 200, 1, 0, 0xffffff);
    button = XCreateSimpleWindow(display, dialog, 90, 80, 120, 40, 1, 0, 0xdddddd);
    XSelectInput(display, button, ExposureMask | ButtonPressMask | ButtonReleaseMask);
    XMapWindow(display, button);
    XMapRaised(display, dialog);
    is_open = 1;
}

static void on_key(XKeyEvent *event) {
    char text[8];
    KeySym key = NoSymbol;
    int length = XLookupString(event, text, sizeof text, &key, NULL);
    if ((event->state & Mod1Mask) && (key == XK_p || key == XK_P)) {
        show_dialog();
    } else if (key == XK_Escape && is_open) {
        XDestroyWindow(display, dialog);
        is_open = is_armed = 0;
    } else if (length == 1 && text[0] >= ' ' && strlen(field) + 2 < sizeof field) {
        strncat(field, text, 1);
    }
}

static void print_page(void) {
    char *no_printer = NULL;
    fprintf(stderr, "printing\n");
    *no_printer = 'p';
}

int main(void) {
    display = XOpenDisplay(NULL);
    if (!display)
        return 125;
    int screen = DefaultScreen(display);
    window = XCreateSimpleWindow(display, RootWindow(display, screen), 0, 0, 1280, 1024, 0, 0, 0xffffff);
    XSelectInput(display, window,
                 ExposureMask | KeyPressMask | ButtonPressMask | ButtonReleaseMask | PointerMotionMask);
    XMapWindow(display, window);
    for (;;) {
        XEvent event;
        XNextEvent(display, &event);
        if (event.type == KeyPress)
            on_key(&event.xkey);
        if (event.type == MotionNotify)
            draw(event.xmotion.x, event.xmotion.y);
        if (event.type == Expose)
            draw(0, 0);
        if (event.type == ButtonPress)
            is_armed = is_open && event.xbutton.window == button;
        if (event.type == ButtonRelease && is_armed && event.xbutton.window == button) {
            is_armed = 0;
            print_page();
        }
    }
}
