/** Indexed by primary result code: https://www.sqlite.org/rescode.html */
const PRIMARY =
  `OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY
  SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB`.split(/\s+/);

const EXTENDED: Readonly<Record<number, string>> = {
  261: 'BUSY_RECOVERY',
  517: 'BUSY_SNAPSHOT',
  773: 'BUSY_TIMEOUT',
  262: 'LOCKED_SHAREDCACHE',
  266: 'IOERR_READ',
  522: 'IOERR_SHORT_READ',
  778: 'IOERR_WRITE',
  1034: 'IOERR_FSYNC',
  275: 'CONSTRAINT_CHECK',
  531: 'CONSTRAINT_COMMITHOOK',
  787: 'CONSTRAINT_FOREIGNKEY',
  1043: 'CONSTRAINT_FUNCTION',
  1299: 'CONSTRAINT_NOTNULL',
  1555: 'CONSTRAINT_PRIMARYKEY',
  1811: 'CONSTRAINT_TRIGGER',
  2067: 'CONSTRAINT_UNIQUE',
  2579: 'CONSTRAINT_ROWID',
};

/** @returns A name such as `SQLITE_CONSTRAINT_UNIQUE`. An unlisted extended code gets the name of its primary code. */
function resultCode(errcode: number): string {
  return `SQLITE_${EXTENDED[errcode] ?? PRIMARY[errcode & 0xff] ?? String(errcode)}`;
}

/** Sets the `code` of an SQLite error to the name of its result code. Node always sets `ERR_SQLITE_ERROR`. */
export function withResultCode(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return error;
  return Object.assign(error, { code: resultCode(Number(error.errcode)) });
}

export function withResultCodes<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw withResultCode(error);
  }
}
