#!/bin/bash
# Starts Patroni in a container of compose.yaml, with the secrets of its files. PATRONI_NAME is the name of the service.
set -euo pipefail
PATRONI_SUPERUSER_PASSWORD=$(cat /run/secrets/postgres_password)
PATRONI_REPLICATION_PASSWORD=$(cat /run/secrets/standby_password)
PATRONI_REWIND_PASSWORD=$PATRONI_REPLICATION_PASSWORD
OWNER_PASSWORD=$(cat /run/secrets/owner_password)
export PATRONI_SUPERUSER_PASSWORD PATRONI_REPLICATION_PASSWORD PATRONI_REWIND_PASSWORD OWNER_PASSWORD
export PATRONI_RESTAPI_CONNECT_ADDRESS=$PATRONI_NAME:8008 PATRONI_POSTGRESQL_CONNECT_ADDRESS=$PATRONI_NAME:5432
exec /opt/patroni/bin/patroni /etc/patroni/patroni.yml
