#!/bin/bash
# Runs once, on the node that makes the cluster. No standby runs yet, so these commits do not wait for one.
set -euo pipefail
PGOPTIONS='-c synchronous_commit=local' psql --dbname="$1" --set=ON_ERROR_STOP=1 --set=owner="$OWNER_PASSWORD" <<'SQL'
create role quipu_admin login createrole password :'owner';
create database quipu owner quipu_admin;
SQL
