#!/bin/sh
# Starts a standby. The first start copies the primary, which must be up; later starts use the existing data.
# PRIMARY_HOST: host of the primary. REPLICATION_PASSWORD: the password that primary.sh sets.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Remove the rest of an interrupted copy.
  rm -rf "$PGDATA.copy"
  PGPASSWORD=$REPLICATION_PASSWORD pg_basebackup --pgdata "$PGDATA.copy" --wal-method stream --checkpoint fast \
    --write-recovery-conf --dbname "host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=replication_of_items application_name=standby"
  mv "$PGDATA.copy" "$PGDATA"
fi
exec postgres "$@"
