import type { ApiError } from '@items/conventions';
import type { ErrorAnswer } from '@items/conventions/answer';
import type { FastifyReply } from 'fastify';

import type { ConnectionLimits } from './connections/connections.js';
import type { FairnessKeys } from './scheduling/fairness-keys.js';
import type { CorsOptions } from './request/cors.js';
import type { Versions } from './versions/versions.js';

/** The log methods that the edge needs. A pino logger has them. */
export interface EdgeLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type ErrorForm = (error: ApiError) => ErrorAnswer;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Error format of the route, if it is not the common one. */
    errorForm?: ErrorForm;
    /** Set if the handler reads the body itself, after it has checked the head. Fastify then parses nothing. */
    readsBody?: { readonly maxBytes?: number };
  }
  interface FastifyRequest {
    rawBody?: Buffer;
    /** Called when a handler has read the body, for tracing. @param beganAtMs on the clock of `performance`. */
    onBodyRead?: ((beganAtMs: number) => void) | null;
  }
}

export interface OverloadListener {
  /**
   * A request was refused. @param isBehindDatabase whether requests wait for the database, rather than for this
   * process.
   */
  refused(isBehindDatabase: boolean): void;
  relieved(): void;
}

/** Refuses requests for a time, for example during maintenance. */
export interface MaintenanceMode {
  readonly isOn: boolean;
  /** Returns the error for a request target, or undefined to serve it. Called only while {@link isOn}. */
  refusalFor(target: string): ApiError | undefined;
}

export interface EdgeOptions {
  /** Logs what is refused before it becomes a request. */
  readonly log: EdgeLog;
  readonly isHttps: boolean;
  readonly cors: CorsOptions;
  readonly limits: ConnectionLimits;
  /** Headers of every response, in addition to those of all services. */
  readonly headers: Readonly<Record<string, string>>;
  /** Versions of the interface; undefined if it has none. */
  readonly versions: Pick<Versions, 'current' | 'headersOf' | 'translationOf'> | undefined;
  /** Returns the error format for a request target, or undefined for the common one. */
  readonly errorFormAt: (target: string) => ErrorForm | undefined;
  /** Refuses requests for a time. Default: none are refused. */
  readonly maintenance: MaintenanceMode | undefined;
  /** Prefixes of paths that are served even under overload, such as `/health/`. */
  readonly alwaysAnswered: readonly string[];
  /** Path of the public address, without a trailing slash; `Location` and `Link` begin with it. SPEC §1.1 */
  readonly basePath: string;
  /** Target of the redirect for a browser that requests `/`. Default: no redirect. SPEC §1.1 */
  readonly home?: string | undefined;
  /** Checks if a request target is a long poll, which is never refused because of overload. */
  readonly isLongPoll: (target: string) => boolean;
  /**
   * Called at the start of each request, to log its response.
   * @param queuedAtMs when the request arrived, if it had to wait.
   */
  readonly onAnswer: (reply: FastifyReply, queuedAtMs: number | undefined) => void;
  readonly fairnessKeys: Pick<FairnessKeys, 'keyOf' | 'recognize'>;
  readonly overload: OverloadListener | undefined;
  /** Checks if the application admits WebSocket handshakes to a path. Default: to every path. */
  readonly isUpgradable: (path: string) => boolean;
}
