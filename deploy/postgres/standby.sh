#!/bin/sh
# Starts a standby: at first with a copy of the primary, which has to be up, and then with what the last run has left.
# PRIMARY_HOST, REPLICATION_PASSWORD: where the primary is, and the password that primary.sh has set.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # What a copy that was broken off has left.
  rm -rf "$PGDATA.copy"
  PGPASSWORD=$REPLICATION_PASSWORD pg_basebackup --pgdata "$PGDATA.copy" --wal-method stream --checkpoint fast \
    --write-recovery-conf --dbname "host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=replication_of_items application_name=standby"
  mv "$PGDATA.copy" "$PGDATA"
fi
exec postgres "$@"
