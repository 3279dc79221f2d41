#!/bin/sh
# A browser that prints a page, with the fault of Mozilla bug 24735 planted: a page that holds a SELECT
# element, outside of comments, kills it, because the print context has no frame for the widget.
page=$1
awk '
    { text = text tolower($0) "\n" }
    END {
        while (start = index(text, "<!--")) {
            rest = substr(text, start + 4)
            end = index(rest, "-->")
            text = substr(text, 1, start - 1) (end ? substr(rest, end + 3) : "")
        }
        exit(text ~ /<select[^>]*>/)
    }
' "$page" && echo "printed $page" && exit 0
echo "nsSelectFrame::Reflow: no frame for print context" >&2
kill -SEGV $$
