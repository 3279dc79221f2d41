#!/bin/sh
# In a folder holding one version of sqlparse: is a transaction of four statements split in four?
# 0 = works, 1 = sqlparse issue 826, 125 = cannot tell.
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec timeout 20 python3 -W ignore - <<'PY'
import os
import sys
SQL = """BEGIN TRANSACTION;
DELETE FROM "schema"."table_a" USING "table_a_temp" WHERE "schema"."table_a"."id" = "table_a_temp"."id";
INSERT INTO "schema"."table_a" SELECT * FROM "table_a_temp";
END TRANSACTION;"""
try:
    import sqlparse
    here = os.path.realpath(sqlparse.__file__).startswith(os.getcwd() + os.sep)
    parts = sqlparse.split(SQL)
    simple = sqlparse.split("select 1; select 2;")
except Exception as e:
    print("cannot tell:", type(e).__name__, e)
    sys.exit(125)
print("statements:", len(parts), "of a plain pair:", len(simple))
if not here or len(simple) != 2:
    sys.exit(125)
sys.exit({4: 0, 1: 1}.get(len(parts), 125))
PY
