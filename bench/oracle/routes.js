'use strict';

const stops = {
    north: { zone: 1, lines: ['a', 'b'] },
    market: { zone: 1, lines: ['a', 'c'] },
    harbour: { zone: 2, lines: ['b', 'c'] },
    airport: { zone: 3, lines: ['d'] },
    castle: { zone: 2, lines: ['c'] },
};

const lines = new Map([
    ['a', { name: 'Tram 1', minutes: 6, stops: ['north', 'market'] }],
    ['b', { name: 'Tram 2', minutes: 9, stops: ['north', 'harbour'] }],
    ['c', { name: 'Bus 40', minutes: 4, stops: ['market', 'castle', 'harbour'] }],
]);

class Queue {
    constructor() {
        this.items = [];
    }

    push(item, cost) {
        this.items.push({ item, cost });
        this.items.sort((a, b) => a.cost - b.cost);
    }

    pop() {
        return this.items.shift();
    }

    get empty() {
        return this.items.length === 0;
    }
}

function neighbours(stop) {
    const found = [];
    for (const key of stops[stop].lines) {
        const line = lines.get(key);
        for (const other of line.stops) {
            if (other !== stop) found.push({ stop: other, by: line.name, minutes: line.minutes });
        }
    }
    return found;
}

function route(from, to) {
    const best = new Map([[from, 0]]);
    const came = new Map();
    const queue = new Queue();
    queue.push(from, 0);
    while (!queue.empty) {
        const { item, cost } = queue.pop();
        if (item === to) break;
        for (const next of neighbours(item)) {
            const there = cost + next.minutes;
            if (there < (best.get(next.stop) ?? Infinity)) {
                best.set(next.stop, there);
                came.set(next.stop, { stop: item, by: next.by });
                queue.push(next.stop, there);
            }
        }
    }
    const path = [];
    for (let at = to; at !== from; at = came.get(at).stop) {
        path.unshift(`${came.get(at).by} to ${at}`);
    }
    return { minutes: best.get(to), path };
}

function fare(from, to) {
    return 2 + Math.abs(stops[from].zone - stops[to].zone) * 0.8;
}

for (const [from, to] of [['north', 'castle'], ['castle', 'harbour'], ['airport', 'north']]) {
    const { minutes, path } = route(from, to);
    console.log(`${from} to ${to}: ${minutes} min, ${fare(from, to).toFixed(2)}, ${path.join(', ')}`);
}
