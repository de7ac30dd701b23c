#!/bin/bash
# Copies the primary once, and then follows it. The name `standby` is the one that the primary waits for.
set -euo pipefail
export PGPASSFILE=/tmp/pgpass
echo "*:*:*:standby:$(cat /run/secrets/standby_password)" > "$PGPASSFILE"
chmod 600 "$PGPASSFILE"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  pg_basebackup --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast --write-recovery-conf \
    --dbname="host=primary user=standby application_name=standby passfile=$PGPASSFILE"
  chmod 700 "$PGDATA"
fi
exec postgres
