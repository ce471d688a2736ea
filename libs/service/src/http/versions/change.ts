import type { QueryPair } from '@items/conventions';

import type { TranslatedResponse } from '../request/translate.js';

export interface Target {
  /** Percent-encoded, without the query: `/items/1`. */
  readonly path: string;
  readonly query: readonly QueryPair[];
}

export interface VersionedRequest extends Target {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The endpoint of a body or a response, in the newer version. */
export type Endpoint = Pick<VersionedRequest, 'method' | 'path'>;

export interface VersionedEvent {
  readonly type: string;
  readonly api_version: string;
  /** `previous` has only the fields that changed. */
  readonly data: { readonly object: object; readonly previous?: object };
}

export type DocumentObject = Readonly<Record<string, unknown>>;

/**
 * One breaking change between a version and the one before, as pure functions of plain JSON that must not modify their
 * input. An omitted function changes nothing. Clients may send anything: return unexpected input unchanged, so that
 * validation refuses it later. SPEC §9
 */
export interface Change {
  /** Describes the change to people in one sentence. Text in backticks is shown as code. */
  readonly sentence: string;
  /** `request` and `body` translate from the older form to the newer one. */
  readonly request?: (request: VersionedRequest) => VersionedRequest;
  readonly body?: (body: unknown, endpoint: Endpoint) => unknown;
  /** `response` (errors too) and `link` translate from the newer form to the older one. */
  readonly response?: (response: TranslatedResponse, endpoint: Endpoint) => TranslatedResponse;
  readonly link?: (target: Target) => Target;
  /** Stored events have the version that was current when they were written. */
  readonly event?: {
    readonly up: (event: VersionedEvent) => VersionedEvent;
    readonly down: (event: VersionedEvent) => VersionedEvent;
  };
  /** Translates the OpenAPI document of the newer version to that of the older one. */
  readonly document?: (document: DocumentObject) => DocumentObject;
}
