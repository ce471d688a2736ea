import { EndedVersionError, UnsupportedVersionError } from '../edge-errors.js';
import type { IncomingMessage } from 'node:http';

import { type ApiError, HEADER, type ReleasedVersion } from '@items/conventions';

import type { Translation } from '../translation.js';
import type { Change, DocumentObject, VersionedEvent } from './change.js';
import { versionHeaders, versionPage } from './version-headers.js';
import { hasEnded, VersionTable, type VersionFacts } from './version-table.js';
import { VersionTranslation } from './version-translation.js';

/** What a service's versions are made of. */
export interface VersionsOptions {
  /** Oldest first, the current version last. */
  readonly table: readonly ReleasedVersion[];
  /** Version → what it changed, in the order in which it is to be done. The first version has none. */
  readonly changes?: Readonly<Record<string, readonly Change[]>>;
  /** Where the feed of events is, whose events each are turned; undefined where there is none. */
  readonly eventsPath?: string;
  /** Where the OpenAPI document is; undefined where there is none. */
  readonly documentPath?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The version of a request and of its answer, as far as a request says it. */
export type Asking = Pick<IncomingMessage, 'headers'>;

/** What is said of a version on its page. */
export interface VersionNotes extends VersionFacts {
  readonly hasEnded: boolean;
  /** What it changed. */
  readonly changes: readonly string[];
  /** What each later version changed, oldest first. */
  readonly later: readonly { readonly version: string; readonly changes: readonly string[] }[];
}

/**
 * The versions of an interface: which there are, and how requests and responses in an older one become what the
 * service knows, which is the current one only. Without `Api-Version`, or with the current one, nothing is done.
 * @see SPEC §9
 */
export class Versions {
  readonly current: string;
  private readonly table: VersionTable;
  private readonly changes: Readonly<Record<string, readonly Change[]>>;
  private readonly now: () => number;
  private readonly ofCurrent: Readonly<Record<string, string>>;

  /** @throws {Error} the table breaks a rule of §9, or there are changes of a version that it does not have. */
  constructor(private readonly options: VersionsOptions) {
    this.table = new VersionTable(options.table);
    this.current = this.table.current;
    this.changes = options.changes ?? {};
    this.now = options.now ?? Date.now;
    this.ofCurrent = Object.freeze({ [HEADER.apiVersion]: this.current });
    const [first] = this.table.all;
    const unknown = Object.keys(this.changes).find((version) => this.table.of(version) === undefined);
    if (unknown !== undefined) throw new Error(`There are changes of version ${unknown}, which is not in the table.`);
    if (first !== undefined && this.changes[first.version] !== undefined)
      throw new Error(`Version ${first.version} is the first one and cannot have changed anything.`);
  }

  /** What may be asked for, the current one first. */
  get supported(): readonly string[] {
    return this.table.supportedAt(this.now());
  }

  /** The version that the answer is in: the one asked for where it is supported, else the current one. */
  answeredTo(message?: Asking): string {
    const asked = message?.headers[HEADER.apiVersion];
    if (asked === undefined || asked === this.current) return this.current;
    return this.olderOf(asked)?.version ?? this.current;
  }

  /** Headers of every answer: `Api-Version`; of an older version `Deprecation`, `Link` and perhaps `Sunset`, too. */
  headersOf(message?: Asking): Readonly<Record<string, string>> {
    const asked = message?.headers[HEADER.apiVersion];
    if (asked === undefined || asked === this.current) return this.ofCurrent;
    const older = this.olderOf(asked);
    return older === undefined ? this.ofCurrent : versionHeaders(older, this.now());
  }

  /**
   * Why a request is refused for the version it asks for.
   * @returns 400 that lists the supported ones, or undefined.
   */
  refusalFor(message: Asking): ApiError | undefined {
    const asked = message.headers[HEADER.apiVersion];
    if (asked === undefined || asked === this.current || this.olderOf(asked) !== undefined) return undefined;
    const ended = typeof asked === 'string' ? this.table.of(asked) : undefined;
    if (ended?.end === undefined) return new UnsupportedVersionError(this.supported);
    return new EndedVersionError(this.supported, { ...ended.end, page: versionPage(ended.version) });
  }

  /** How a request of an older version, and its answer, become those of the current one; undefined for all others. */
  translationOf(message: Pick<IncomingMessage, 'headers' | 'method' | 'url'>): Translation | undefined {
    const asked = message.headers[HEADER.apiVersion];
    if (asked === undefined || asked === this.current) return undefined;
    const older = this.olderOf(asked);
    if (older === undefined) return undefined;
    const changes = this.changesAfter(older.version);
    return new VersionTranslation(message, {
      version: older.version,
      changes,
      headers: versionHeaders(older, this.now()),
      eventsPath: this.options.eventsPath,
      documentPath: this.options.documentPath,
      eventIn: (event) => this.eventIn(event, older.version),
      documentIn: (document) => this.documentIn(document, older.version),
    });
  }

  /**
   * An event in the form of a version, whichever version it was kept in.
   * @param event as it was kept: `data` has the form of `api_version`. @param version also one that has ended.
   * @returns the event itself where it has that form already.
   * @throws {Error} one of the versions is not in the table.
   */
  eventIn<Event extends VersionedEvent>(event: Event, version = this.current): Event {
    if (event.api_version === version) return event;
    const [from, to] = [this.place(event.api_version), this.place(version)];
    const turned =
      from < to
        ? this.changesBetween(from, to).reduce<VersionedEvent>((each, change) => change.event?.up(each) ?? each, event)
        : this.changesBetween(to, from).reduceRight<VersionedEvent>(
            (each, change) => change.event?.down(each) ?? each,
            event,
          );
    return { ...event, data: turned.data, api_version: version };
  }

  /** The document of the current version → that of another one. @throws {Error} the version is not in the table. */
  documentIn<Document extends DocumentObject>(document: Document, version: string): Document {
    if (version === this.current) return document;
    const older = this.changesAfter(version).reduceRight<DocumentObject>(
      (each, change) => change.document?.(each) ?? each,
      document,
    );
    return { ...older, info: { ...(older['info'] as object), version } } as unknown as Document;
  }

  /** What is to be said of a version; undefined of one that never was. */
  notesOf(version: string): VersionNotes | undefined {
    const facts = this.table.of(version);
    if (facts === undefined) return undefined;
    const sentences = (of: string): readonly string[] => (this.changes[of] ?? []).map(({ sentence }) => sentence);
    const later = this.table.all.slice(this.place(version) + 1);
    return {
      ...facts,
      hasEnded: hasEnded(facts, this.now()),
      changes: sentences(version),
      later: later.map((each) => ({ version: each.version, changes: sentences(each.version) })),
    };
  }

  /** A version that is supported, and not the current one. */
  private olderOf(asked: string | string[]): VersionFacts | undefined {
    const facts = typeof asked === 'string' ? this.table.of(asked) : undefined;
    return facts === undefined || hasEnded(facts, this.now()) ? undefined : facts;
  }

  private changesAfter(version: string): readonly Change[] {
    return this.changesBetween(this.place(version), this.table.all.length - 1);
  }

  /** What leads from one place of the table up to a later one. */
  private changesBetween(from: number, to: number): readonly Change[] {
    return this.table.all.slice(from + 1, to + 1).flatMap(({ version }) => this.changes[version] ?? []);
  }

  private place(version: string): number {
    const place = this.table.all.findIndex((facts) => facts.version === version);
    if (place === -1) throw new Error(`There is no version ${version} in the table of versions.`);
    return place;
  }
}
