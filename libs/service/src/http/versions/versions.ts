import { EndedVersionError, UnsupportedVersionError } from '../request/edge-errors.js';
import type { IncomingMessage } from 'node:http';

import { type ApiError, HEADER, type ReleasedVersion } from '@items/conventions';

import type { Translation } from '../request/translation.js';
import type { Change, DocumentObject, VersionedEvent } from './change.js';
import { hasEnded, startOf, versionTable, type VersionFacts } from './version-table.js';
import { VersionTranslation } from './version-translation.js';

/** What a service's versions are made of. */
export interface VersionsOptions {
  /** Oldest first, the current version last. */
  readonly table: readonly ReleasedVersion[];
  /** Version → what it changed, in the order in which it is to be done. The first version has none. */
  readonly changes?: Readonly<Record<string, readonly Change[]>>;
  /** Path of the public address, without a slash at its end; its links begin with it. */
  readonly basePath?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** What is said of a version on its page. */
export interface VersionNotes extends VersionFacts {
  readonly hasEnded: boolean;
  /** What it changed. */
  readonly changes: readonly string[];
  /** What each later version changed, oldest first. */
  readonly later: readonly { readonly version: string; readonly changes: readonly string[] }[];
}

/** Paths whose responses hold what may be of any kind: each event, and the document. */
const [EVENTS, DOCUMENT] = ['/events', '/openapi.json'];

type Asking = Pick<IncomingMessage, 'headers'>;
type Headers = Readonly<Record<string, string>>;

/**
 * The versions of an interface: which there are, and how requests and responses in an older one become what the
 * service knows, which is the current one only. Without `Api-Version`, or with the current one, nothing is done.
 * @see SPEC §9
 */
export class Versions {
  readonly current: string;
  private readonly all: readonly VersionFacts[];
  private readonly changes: Readonly<Record<string, readonly Change[]>>;
  private readonly basePath: string;
  private readonly now: () => number;
  private readonly ofCurrent: Headers;

  /** @throws {Error} the table breaks a rule of §9, or there are changes of a version that cannot have any. */
  constructor(private readonly options: VersionsOptions) {
    const { table, changes = {}, basePath = '', now = Date.now } = options;
    this.all = versionTable(table);
    this.current = this.all.at(-1)?.version ?? '';
    this.changes = changes;
    this.basePath = basePath;
    this.now = now;
    this.ofCurrent = Object.freeze({ [HEADER.apiVersion]: this.current });
    for (const version of Object.keys(this.changes)) {
      if (this.known(version) === this.all[0])
        throw new Error(`Version ${version} is the first one and cannot have changed anything.`);
    }
  }

  /** The same versions of a service whose public address has this path. */
  below(basePath: string): Versions {
    return basePath === this.basePath ? this : new Versions({ ...this.options, basePath });
  }

  /** What may be asked for, the current one first. */
  get supported(): readonly string[] {
    return this.all.flatMap((facts) => (hasEnded(facts, this.now()) ? [] : facts.version)).reverse();
  }

  /** The version that the response is in: the one asked for where it is supported, else the current one. */
  answeredTo(message: Asking): string {
    return this.olderOf(message)?.version ?? this.current;
  }

  /** Headers of every response: `Api-Version`; of an older version `Deprecation`, `Link` and perhaps `Sunset`, too. */
  headersOf(message?: Asking): Headers {
    const older = message && this.olderOf(message);
    return older === undefined ? this.ofCurrent : this.headersOfOlder(older);
  }

  /**
   * Why a request is refused for the version it asks for.
   * @returns 400 that lists the supported ones, or undefined.
   */
  refusalFor(message: Asking): ApiError | undefined {
    const asked = message.headers[HEADER.apiVersion];
    if (asked === undefined || asked === this.current || this.olderOf(message) !== undefined) return undefined;
    const ended = this.find(asked);
    if (ended?.end === undefined) return new UnsupportedVersionError(this.supported);
    return new EndedVersionError(this.supported, { ...ended.end, page: this.pageOf(ended.version) });
  }

  /** How a request of an older version, and its response, become those of the current one; undefined for all others. */
  translationOf(message: Pick<IncomingMessage, 'headers' | 'method' | 'url'>): Translation | undefined {
    const older = this.olderOf(message);
    if (older === undefined) return undefined;
    const eventIn = (event: unknown): unknown => this.eventIn(event as VersionedEvent, older.version);
    return new VersionTranslation(message, {
      version: older.version,
      changes: this.changesBetween(older.version, this.current),
      headers: this.headersOfOlder(older),
      basePath: this.basePath,
      whole: (path, body) => {
        const { events } = body;
        if (path === DOCUMENT) return this.documentIn(body, older.version);
        if (path === EVENTS && Array.isArray(events)) return { ...body, events: events.map(eventIn) };
        return path.startsWith(`${EVENTS}/`) ? eventIn(body) : body;
      },
    });
  }

  /**
   * An event in the form of a version, whichever version it was stored in.
   * @param event as it was stored: `data` has the form of `api_version`. @param version also one that has ended.
   * @returns the event itself where it has that form already.
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

  /** The document of the current version → that of another one. @throws {Error} the version is not in the table. */
  documentIn<Document extends DocumentObject>(document: Document, version: string): Document {
    if (version === this.current) return document;
    const older = this.changesBetween(this.known(version).version, this.current).reduceRight<DocumentObject>(
      (each, change) => change.document?.(each) ?? each,
      document,
    );
    return { ...older, info: { ...(older['info'] as object), version } } as unknown as Document;
  }

  /** What is to be said of a version; undefined of one that never was. */
  notesOf(version: string): VersionNotes | undefined {
    const facts = this.find(version);
    if (facts === undefined) return undefined;
    const sentences = (of: string): readonly string[] => (this.changes[of] ?? []).map(({ sentence }) => sentence);
    return {
      ...facts,
      hasEnded: hasEnded(facts, this.now()),
      changes: sentences(version),
      later: this.all
        .filter((each) => each.version > version)
        .map((each) => ({ version: each.version, changes: sentences(each.version) })),
    };
  }

  /** The version that is asked for, where it is supported, and not the current one. */
  private olderOf({ headers }: Asking): VersionFacts | undefined {
    const asked = headers[HEADER.apiVersion];
    if (asked === undefined || asked === this.current) return undefined;
    const facts = this.find(asked);
    return facts === undefined || hasEnded(facts, this.now()) ? undefined : facts;
  }

  /** Since when it is deprecated (RFC 9745), and, from the announcement on, when it ends (RFC 8594). */
  private headersOfOlder({ version, deprecatedSince, end }: VersionFacts): Headers {
    const headers: Record<string, string> = { [HEADER.apiVersion]: version };
    if (deprecatedSince !== undefined && this.now() >= startOf(deprecatedSince)) {
      headers['deprecation'] = `@${String(startOf(deprecatedSince) / 1000)}`;
      headers['link'] = `<${this.pageOf(version)}>; rel="deprecation"`;
    }
    if (end !== undefined && this.now() >= startOf(end.announced))
      headers['sunset'] = new Date(startOf(end.on)).toUTCString();
    return headers;
  }

  /** Where people read of a version. */
  private pageOf(version: string): string {
    return `${this.basePath}/docs/versions/${version}`;
  }

  /** What leads from a version up to a later one. */
  private changesBetween(from: string, to: string): readonly Change[] {
    const between = this.all.filter(({ version }) => version > from && version <= to);
    return between.flatMap(({ version }) => this.changes[version] ?? []);
  }

  /** @param asked as a header says it. */
  private find(asked: string | readonly string[]): VersionFacts | undefined {
    return this.all.find(({ version }) => version === asked);
  }

  private known(version: string): VersionFacts {
    const facts = this.find(version);
    if (facts === undefined) throw new Error(`There is no version ${version} in the table of versions.`);
    return facts;
  }
}
