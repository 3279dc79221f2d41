"""Counts pairs: count.py TRUTH.json TRIAGE.json. Precision: of the pairs put together, how many belong together;
recall: of the pairs that belong together, how many are."""

import collections
import itertools
import json
import sys

truth = json.load(open(sys.argv[1]))
groups = json.load(open(sys.argv[2]))["groups"]
group = {member["name"]: at for at, one in enumerate(groups) for member in one["members"]}
missing = [name for name in truth if name not in group]
together = right = belong = 0
for a, b in itertools.combinations(sorted(set(truth) & set(group)), 2):
    same, grouped = truth[a] == truth[b], group[a] == group[b]
    together, belong, right = together + grouped, belong + same, right + (same and grouped)
print(f"{len(truth)} inputs of {len(set(truth.values()))} causes, {len(missing)} not failing, {len(groups)} groups")
print(f"pairs: precision {right}/{together} = {right / max(together, 1):.4f}, recall {right}/{belong} = {right / max(belong, 1):.4f}")
for at, one in enumerate(groups):
    causes = collections.Counter(truth[member["name"]] for member in one["members"])
    print(f"  {one['name']}: {dict(causes)}: {one['signature']}")
