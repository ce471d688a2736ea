#!/bin/sh
# Creates a role that may only replicate, for the standby. The image of PostgreSQL runs this once, for a new database.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$REPLICATION_PASSWORD" <<'SQL'
CREATE ROLE replication_of_items LOGIN REPLICATION PASSWORD :'password';
SQL
echo 'host replication replication_of_items samenet scram-sha-256' >>"$PGDATA/pg_hba.conf"
