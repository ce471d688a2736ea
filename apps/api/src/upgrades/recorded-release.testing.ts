import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { askPostgres, createDatabase, type Header, type TestDatabaseConfig } from '@items/testing';

export const RELEASES = join(__dirname, 'released');

export interface RecordedRequest {
  readonly as: string;
  readonly method: string;
  readonly target: string;
  readonly headers?: readonly Header[];
  readonly json?: object;
  readonly status: number;
  readonly etag?: string;
  readonly body: object;
}

/** A walk whose first page the release served. */
export interface RecordedWalk {
  readonly as: string;
  readonly target: string;
  readonly list: string;
  readonly cursor: string;
  /** Members on the pages that the release served after the cursor. */
  readonly rest: readonly object[];
  /** Position of the first page; feeds only. */
  readonly after?: string;
  readonly since?: readonly string[];
}

/** Responses of a release, recorded by `npm run tool -- record-upgrade`. */
export interface RecordedRelease {
  /** Milliseconds since the epoch. */
  readonly made_at: number;
  readonly env: Readonly<Record<string, string>>;
  readonly credentials: Readonly<Record<string, readonly Header[]>>;
  readonly reads: readonly RecordedRequest[];
  readonly walks: readonly RecordedWalk[];
  /** Repeated requests with their `Idempotency-Key`. */
  readonly repeated: readonly RecordedRequest[];
  readonly refreshes: readonly Readonly<Record<string, string>>[];
  /** Form that exchanges an unused authorization code. */
  readonly code: Readonly<Record<string, string>>;
  readonly webhook: {
    readonly id: string;
    /** Both secrets are valid. */
    readonly secrets: readonly string[];
    readonly pending: readonly { readonly id: string; readonly event_id: string }[];
  };
}

export interface RecordedDatabase {
  readonly config: TestDatabaseConfig;
  drop(): Promise<void>;
}

export function readRelease(release: string, dialect: TestDatabaseConfig['dialect']): RecordedRelease {
  return JSON.parse(readFileSync(join(RELEASES, release, `${dialect}.json`), 'utf8')) as RecordedRelease;
}

/** @param server `postgres://…`; needed for PostgreSQL only. */
export async function restoreRelease(
  release: string,
  dialect: TestDatabaseConfig['dialect'],
  server?: string,
): Promise<RecordedDatabase> {
  const bytes = gunzipSync(readFileSync(join(RELEASES, release, `${dialect}.gz`)));
  if (dialect === 'postgres') {
    const { url, drop } = await createDatabase(server);
    await askPostgres(url, bytes.toString());
    return { config: { dialect, url }, drop };
  }
  const folder = mkdtempSync(join(tmpdir(), 'released-'));
  const file = join(folder, 'items.sqlite');
  writeFileSync(file, bytes);
  const drop = (): Promise<void> => {
    rmSync(folder, { recursive: true });
    return Promise.resolve();
  };
  return { config: { dialect, file }, drop };
}
