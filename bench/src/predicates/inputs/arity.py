import time

started = time.monotonic()


def clean_rows(rows, separator, keep_blank, width):
    cleaned = []
    for row in rows:
        cells = [cell.strip() for cell in row.split(separator)]
        if not keep_blank and not any(cells):
            continue
        cleaned.append([cell[:width] for cell in cells])
    return cleaned


def send_report(report, address, attempts, delay, verbose):
    message = dict(report)
    message["MAGIC_SENTINEL"] = address
    if verbose:
        print("sending to", address)
    for attempt in range(attempts):
        if attempt:
            time.sleep(delay * attempt)
        print("attempt", attempt, "of", attempts)
    return message


def run():
    report = {"name": "weekly", "rows": 2}
    address = {"host": "localhost"}
    table = clean_rows(["a;b", "c;d"], ";", False, 32)
    print("rows:", len(table), "after", time.monotonic() - started)
    return send_report(report, address, 4, 0.5, True)


run()
