import type { ApiError } from '@items/conventions';
import type { ErrorAnswer } from '@items/conventions/answer';
import type { FastifyReply } from 'fastify';

import type { ConnectionLimits } from './connections/connections.js';
import type { FairnessKeys } from './scheduling/fairness-keys.js';
import type { CorsOptions } from './request/cors.js';
import type { Versions } from './versions/versions.js';

export interface EdgeLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type ErrorForm = (error: ApiError) => ErrorAnswer;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Error format of the route, if it is not the common one. */
    errorForm?: ErrorForm;
    /** Set if the handler reads the body itself, after it has checked the head. Fastify then parses no body. */
    readsBody?: { readonly maxBytes?: number };
  }
  interface FastifyRequest {
    rawBody?: Buffer;
    /** Called for tracing after reading the body. */
    onBodyRead?: ((beganAtMs: number) => void) | null;
  }
}

export interface OverloadListener {
  /** @param isBehindDatabase whether requests wait for the database, rather than for this process. */
  refused(isBehindDatabase: boolean): void;
  relieved(): void;
}

export interface MaintenanceMode {
  readonly isOn: boolean;
  /** Called only while {@link isOn}. @returns undefined to serve the request. */
  refusalFor(target: string): ApiError | undefined;
}

export interface EdgeOptions {
  /** Logs invalid HTTP, failed translations, and connections that cannot be accepted. */
  readonly log: EdgeLog;
  readonly isHttps: boolean;
  readonly cors: CorsOptions;
  readonly limits: ConnectionLimits;
  /** Headers of every response, in addition to the common headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the interface has no versions. */
  readonly versions: Pick<Versions, 'current' | 'headersOf' | 'translationOf'> | undefined;
  /** @returns undefined for the common format. */
  readonly errorFormAt: (target: string) => ErrorForm | undefined;
  /** Default: no requests are refused for maintenance. */
  readonly maintenance: MaintenanceMode | undefined;
  /** Prefixes of paths that are served even under overload, such as `/health/`. */
  readonly alwaysServed: readonly string[];
  /** Path of the public address, without a trailing slash; `Location` and `Link` begin with it. SPEC §1.1 */
  readonly basePath: string;
  /** Path to which a browser is redirected from `/`. Default: no redirect. SPEC §1.1 */
  readonly home?: string | undefined;
  /** Whether the request is a long poll, which is refused only if the queue is full. */
  readonly isLongPoll: (target: string) => boolean;
  /**
   * Called at the start of each request, to log its response.
   * @param queuedAtMs arrival, if the request had to wait.
   */
  readonly logResponse: (reply: FastifyReply, queuedAtMs: number | undefined) => void;
  readonly fairnessKeys: Pick<FairnessKeys, 'keyOf' | 'recognize'>;
  readonly overload: OverloadListener | undefined;
  /** Whether the app admits WebSocket handshakes to a path. */
  readonly isUpgradable: (path: string) => boolean;
}
