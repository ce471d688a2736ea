import type { QueryPair } from '@items/conventions';

import type { TranslatedAnswer } from '../request/translation.js';

/** A path and its query, as a request asks for it or a link leads to it. */
export interface Target {
  /** Without the query, percent-encoded: `/items/1`. */
  readonly path: string;
  /** Decoded, in the order sent. */
  readonly query: readonly QueryPair[];
}

/** What stands before the body of a request. */
export interface VersionedRequest extends Target {
  /** Upper case; a change leaves it as it is. */
  readonly method: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a body was sent to, or an answer comes from, in the newer form. */
export type Place = Pick<VersionedRequest, 'method' | 'path'>;

/** An event, in the feed and as webhooks send it. SPEC §6 */
export interface VersionedEvent {
  readonly type: string;
  /** In whose form {@link data} is. */
  readonly api_version: string;
  /** `previous` has only the fields that changed. */
  readonly data: { readonly object: object; readonly previous?: object };
}

/** An OpenAPI document, as parsed JSON. */
export type DocumentObject = Readonly<Record<string, unknown>>;

/**
 * One breaking change of the interface, between the version that brought it and the one before: pure functions of plain JSON.
 * What is left out stays as it is. They see what any client may send: what they do not expect, they hand on as it is, so
 * that it is judged, and refused, as everything else.
 * @see SPEC §9
 */
export interface Change {
  /** What changed, for people: one sentence, with `code`. */
  readonly sentence: string;
  /** The request of the older form → the newer one. */
  readonly request?: (request: VersionedRequest) => VersionedRequest;
  /** The body of the older form → the newer one. */
  readonly body?: (body: unknown, place: Place) => unknown;
  /** The answer of the newer form → the older one; errors too. */
  readonly answer?: (answer: TranslatedAnswer, place: Place) => TranslatedAnswer;
  /** Where a `Link` or a `Location` of the newer form leads → the same in the older one. */
  readonly link?: (target: Target) => Target;
  /** The data of an event. Kept ones are of the version that was current when they were written. */
  readonly event?: {
    readonly up: (event: VersionedEvent) => VersionedEvent;
    readonly down: (event: VersionedEvent) => VersionedEvent;
  };
  /** The document of the newer version → that of the older one. */
  readonly document?: (document: DocumentObject) => DocumentObject;
}
