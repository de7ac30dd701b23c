#!/bin/bash
# Runs once, when the primary's folder is empty: the owner of the database, the standby's role, and the database.
# The standby does not run yet, so these commits do not wait for it.
set -euo pipefail
export PGOPTIONS='-c synchronous_commit=local'
psql --username=postgres --set=ON_ERROR_STOP=1 \
  --set=owner="$(cat /run/secrets/owner_password)" --set=standby="$(cat /run/secrets/standby_password)" <<'SQL'
create role quipu_admin login createrole password :'owner';
create role standby login replication password :'standby';
create database quipu owner quipu_admin;
SQL
echo 'host replication standby all scram-sha-256' >> "$PGDATA/pg_hba.conf"
