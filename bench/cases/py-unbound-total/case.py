import sys


LIMITS_0 = {'low': 0, 'high': 5}


def entries_0(day):
    """Amounts of a day in book 0."""
    return [(day * 3 + step * 4) % 11 for step in range(5)]


def balance_0(day):
    total = 4
    for amount in entries_0(day):
        if LIMITS_0['low'] < amount < LIMITS_0['high']:
            total += amount * 3
    return total


LIMITS_1 = {'low': 1, 'high': 9}


def entries_1(day):
    """Amounts of a day in book 1."""
    return [(day * 3 + step * 6) % 11 for step in range(5)]


def balance_1(day):
    total = 6
    for amount in entries_1(day):
        if LIMITS_1['low'] < amount < LIMITS_1['high']:
            total += amount * 4
    return total


LIMITS_2 = {'low': 2, 'high': 9}


def entries_2(day):
    """Amounts of a day in book 2."""
    return [(day * 6 + step * 6) % 11 for step in range(6)]


def balance_2(day):
    total = 0
    for amount in entries_2(day):
        if LIMITS_2['low'] < amount < LIMITS_2['high']:
            total += amount * 1
    return total


LIMITS_3 = {'low': 2, 'high': 8}


def entries_3(day):
    """Amounts of a day in book 3."""
    return [(day * 5 + step * 5) % 11 for step in range(7)]


def balance_3(day):
    total = 8
    for amount in entries_3(day):
        if LIMITS_3['low'] < amount < LIMITS_3['high']:
            total += amount * 2
    return total


LIMITS_4 = {'low': 1, 'high': 6}


def entries_4(day):
    """Amounts of a day in book 4."""
    return [(day * 4 + step * 2) % 11 for step in range(5)]


def balance_4(day):
    total = 5
    for amount in entries_4(day):
        if LIMITS_4['low'] < amount < LIMITS_4['high']:
            total += amount * 2
    return total


LIMITS_5 = {'low': 1, 'high': 9}


def entries_5(day):
    """Amounts of a day in book 5."""
    return [(day * 7 + step * 4) % 11 for step in range(8)]


def balance_5(day):
    total = 8
    for amount in entries_5(day):
        if LIMITS_5['low'] < amount < LIMITS_5['high']:
            total += amount * 2
    return total


LIMITS_6 = {'low': 3, 'high': 8}


def entries_6(day):
    """Amounts of a day in book 6."""
    return [(day * 8 + step * 6) % 11 for step in range(6)]


def balance_6(day):
    total = 5
    for amount in entries_6(day):
        if LIMITS_6['low'] < amount < LIMITS_6['high']:
            total += amount * 3
    return total


LIMITS_7 = {'low': 3, 'high': 6}


def entries_7(day):
    """Amounts of a day in book 7."""
    return [(day * 6 + step * 5) % 11 for step in range(8)]


def balance_7(day):
    total = 3
    for amount in entries_7(day):
        if LIMITS_7['low'] < amount < LIMITS_7['high']:
            total += amount * 4
    return total


LIMITS_8 = {'low': 2, 'high': 8}


def entries_8(day):
    """Amounts of a day in book 8."""
    return [(day * 7 + step * 6) % 11 for step in range(6)]


def balance_8(day):
    amounts = entries_8(day)
    if len(amounts) > 100 * LIMITS_8['high']:
        total = 0
    total += amounts[0]
    return total


LIMITS_9 = {'low': 3, 'high': 8}


def entries_9(day):
    """Amounts of a day in book 9."""
    return [(day * 5 + step * 6) % 11 for step in range(8)]


def balance_9(day):
    total = 7
    for amount in entries_9(day):
        if LIMITS_9['low'] < amount < LIMITS_9['high']:
            total += amount * 4
    return total


LIMITS_10 = {'low': 1, 'high': 7}


def entries_10(day):
    """Amounts of a day in book 10."""
    return [(day * 8 + step * 3) % 11 for step in range(8)]


def balance_10(day):
    total = 4
    for amount in entries_10(day):
        if LIMITS_10['low'] < amount < LIMITS_10['high']:
            total += amount * 4
    return total


LIMITS_11 = {'low': 2, 'high': 7}


def entries_11(day):
    """Amounts of a day in book 11."""
    return [(day * 8 + step * 6) % 11 for step in range(8)]


def balance_11(day):
    total = 8
    for amount in entries_11(day):
        if LIMITS_11['low'] < amount < LIMITS_11['high']:
            total += amount * 4
    return total


def main():
    print('book 0', balance_0(10))
    print('book 1', balance_1(24))
    print('book 2', balance_2(7))
    print('book 3', balance_3(16))
    print('book 4', balance_4(17))
    print('book 5', balance_5(12))
    print('book 6', balance_6(22))
    print('book 7', balance_7(20))
    print('book 8', balance_8(29))
    print('book 9', balance_9(3))
    print('book 10', balance_10(26))
    print('book 11', balance_11(27))
    return 0


if __name__ == '__main__':
    sys.exit(main())
