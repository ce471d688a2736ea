import { EndedVersionError, UnsupportedVersionError } from '../request/edge-errors.js';
import type { IncomingMessage } from 'node:http';

import { type ApiError, HEADER, type ReleasedVersion } from '@items/conventions';

import type { Translation } from '../request/translate.js';
import type { Change, DocumentObject, VersionedEvent } from './change.js';
import { hasEnded, startOf, versionTable, type VersionFacts } from './version-table.js';
import { VersionTranslation } from './version-translation.js';

export interface VersionsOptions {
  readonly table: readonly ReleasedVersion[];
  /** Version → its changes, in order. The first version has none. */
  readonly changes?: Readonly<Record<string, readonly Change[]>>;
  /** Path of the public address, without a trailing slash; links begin with it. */
  readonly basePath?: string;
  readonly now?: () => number;
}

export interface VersionNotes extends VersionFacts {
  readonly hasEnded: boolean;
  readonly changes: readonly string[];
  readonly later: readonly { readonly version: string; readonly changes: readonly string[] }[];
}

/** Paths whose responses concern many routes. The functions `event` and `document` of a change translate them. */
const [EVENTS, DOCUMENT] = ['/events', '/openapi.json'];

type WithHeaders = Pick<IncomingMessage, 'headers'>;
type Headers = Readonly<Record<string, string>>;

/**
 * Translates requests and responses between an older version and the current one. Handlers know only the current
 * version. Without `Api-Version`, or with the current one, nothing is translated. SPEC §9
 */
export class Versions {
  readonly current: string;
  private readonly options: Required<VersionsOptions>;
  private readonly all: readonly VersionFacts[];
  private readonly ofCurrent: Headers;

  /** @throws {Error} the table breaks a rule of §9, or changes belong to an unknown version or to the first one. */
  constructor(options: VersionsOptions) {
    this.options = { changes: {}, basePath: '', now: Date.now, ...options };
    this.all = versionTable(options.table);
    this.current = this.all.at(-1)?.version ?? '';
    this.ofCurrent = Object.freeze({ [HEADER.apiVersion]: this.current });
    for (const version of Object.keys(this.options.changes)) {
      if (this.known(version) === this.all[0])
        throw new Error(`Version ${version} is the first one and cannot have changed anything.`);
    }
  }

  /** Returns the same versions, with links that begin with `basePath`. */
  below(basePath: string): Versions {
    return basePath === this.options.basePath ? this : new Versions({ ...this.options, basePath });
  }

  get supported(): readonly string[] {
    return this.all.flatMap((facts) => (hasEnded(facts, this.options.now()) ? [] : facts.version)).reverse();
  }

  responseVersionFor(message: WithHeaders): string {
    return this.olderOf(message)?.version ?? this.current;
  }

  /** Returns `Api-Version`, and for an older version `Deprecation`, `Link` and perhaps `Sunset`. */
  headersOf(message?: WithHeaders): Headers {
    const older = message && this.olderOf(message);
    return older === undefined ? this.ofCurrent : this.headersOfOlder(older);
  }

  refusalFor(message: WithHeaders): ApiError | undefined {
    const requested = message.headers[HEADER.apiVersion];
    if (requested === undefined || requested === this.current || this.olderOf(message) !== undefined) return undefined;
    const ended = this.find(requested);
    if (ended?.end === undefined) return new UnsupportedVersionError(this.supported);
    return new EndedVersionError(this.supported, { ...ended.end, page: this.pageOf(ended.version) });
  }

  translationOf(message: Pick<IncomingMessage, 'headers' | 'method' | 'url'>): Translation | undefined {
    const older = this.olderOf(message);
    if (older === undefined) return undefined;
    const eventIn = (event: unknown): unknown => this.eventIn(event as VersionedEvent, older.version);
    return new VersionTranslation(message, {
      version: older.version,
      changes: this.changesBetween(older.version, this.current),
      headers: this.headersOfOlder(older),
      basePath: this.options.basePath,
      translateResources: (path, body) => {
        const { events } = body;
        if (path === DOCUMENT) return this.documentIn(body, older.version);
        if (path === EVENTS && Array.isArray(events)) return { ...body, events: events.map(eventIn) };
        return path.startsWith(`${EVENTS}/`) ? eventIn(body) : body;
      },
    });
  }

  /**
   * Translates an event from its stored version to another version.
   * @param version may have ended.
   * @throws {Error} one of the versions is not in the table.
   */
  eventIn<Event extends VersionedEvent>(event: Event, version = this.current): Event {
    const from = this.known(event.api_version).version;
    const to = this.known(version).version;
    if (from === to) return event;
    const up = this.changesBetween(from, to).map((change) => change.event?.up);
    const down = this.changesBetween(to, from).map((change) => change.event?.down);
    const turned = [...up, ...down.reverse()].reduce<VersionedEvent>((each, turn) => turn?.(each) ?? each, event);
    return { ...event, data: turned.data, api_version: version };
  }

  /** @throws {Error} the version is not in the table. */
  documentIn<Document extends DocumentObject>(document: Document, version: string): Document {
    if (version === this.current) return document;
    const older = this.changesBetween(this.known(version).version, this.current).reduceRight<DocumentObject>(
      (each, change) => change.document?.(each) ?? each,
      document,
    );
    return { ...older, info: { ...(older['info'] as object), version } } as unknown as Document;
  }

  notesOf(version: string): VersionNotes | undefined {
    const facts = this.find(version);
    if (facts === undefined) return undefined;
    const sentences = (of: string): readonly string[] =>
      (this.options.changes[of] ?? []).map(({ sentence }) => sentence);
    return {
      ...facts,
      hasEnded: hasEnded(facts, this.options.now()),
      changes: sentences(version),
      later: this.all
        .filter((each) => each.version > version)
        .map((each) => ({ version: each.version, changes: sentences(each.version) })),
    };
  }

  private olderOf({ headers }: WithHeaders): VersionFacts | undefined {
    const requested = headers[HEADER.apiVersion];
    if (requested === undefined || requested === this.current) return undefined;
    const facts = this.find(requested);
    return facts === undefined || hasEnded(facts, this.options.now()) ? undefined : facts;
  }

  /** Returns `Deprecation` (RFC 9745) and, once the end of the version is announced, `Sunset` (RFC 8594). */
  private headersOfOlder({ version, deprecatedSince, end }: VersionFacts): Headers {
    const headers: Record<string, string> = { [HEADER.apiVersion]: version };
    if (deprecatedSince !== undefined && this.options.now() >= startOf(deprecatedSince)) {
      headers['deprecation'] = `@${String(startOf(deprecatedSince) / 1000)}`;
      headers['link'] = `<${this.pageOf(version)}>; rel="deprecation"`;
    }
    if (end !== undefined && this.options.now() >= startOf(end.announced))
      headers['sunset'] = new Date(startOf(end.on)).toUTCString();
    return headers;
  }

  private pageOf(version: string): string {
    return `${this.options.basePath}/docs/versions/${version}`;
  }

  private changesBetween(from: string, to: string): readonly Change[] {
    const between = this.all.filter(({ version }) => version > from && version <= to);
    return between.flatMap(({ version }) => this.options.changes[version] ?? []);
  }

  private find(requested: string | readonly string[]): VersionFacts | undefined {
    return this.all.find(({ version }) => version === requested);
  }

  private known(version: string): VersionFacts {
    const facts = this.find(version);
    if (facts === undefined) throw new Error(`There is no version ${version} in the table of versions.`);
    return facts;
  }
}
