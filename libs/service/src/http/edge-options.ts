import type { ApiError } from '@items/conventions';
import type { ErrorAnswer } from '@items/conventions/answer';
import type { FastifyReply } from 'fastify';

import type { ConnectionLimits } from './connections/connections.js';
import type { FairnessKeys } from './scheduling/fairness-keys.js';
import type { CorsOptions } from './request/cors.js';
import type { Versions } from './versions/versions.js';

/** As much of a log as the edge needs; pino's is one. */
export interface EdgeLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Writes an error in a form of its own. */
export type ErrorForm = (error: ApiError) => ErrorAnswer;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How errors of the route are written, where they have not the one form of all others. */
    errorForm?: ErrorForm;
    /** The route reads its body itself, at most so many bytes, when it has judged what stands before; nothing parses it. */
    readsBody?: { readonly maxBytes?: number };
  }
  interface FastifyRequest {
    /** The bytes of a body that was parsed. */
    rawBody?: Buffer;
    /** Called when a route has read its body, for traces. @param beganAtMs on the clock of `performance`. */
    onBodyRead?: ((beganAtMs: number) => void) | null;
  }
}

/** Called when overload begins and ends, to log it. */
export interface OverloadListener {
  /** A request is refused. @param isBehindDatabase whether requests wait for the database, or for this process. */
  refused(isBehindDatabase: boolean): void;
  /** Nothing waits any more. */
  relieved(): void;
}

/** Refuses requests for a time, as for maintenance. */
export interface MaintenanceMode {
  readonly isOn: boolean;
  /** Why a request target is refused for now, whatever it asks for; called only where the mode is on. */
  refusalFor(target: string): ApiError | undefined;
}

/** What an application decides about its edge. */
export interface EdgeOptions {
  /** Called for what is refused before it is a request. */
  readonly log: EdgeLog;
  /** Whether the server itself speaks TLS. */
  readonly isHttps: boolean;
  readonly cors: CorsOptions;
  readonly limits: ConnectionLimits;
  /** Headers of every answer beside those that all services have. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the interface that is served; undefined where it has none. */
  readonly versions: Pick<Versions, 'current' | 'headersOf' | 'translationOf'> | undefined;
  /** How the errors of a request target are written, where they have not the one form of all others. */
  readonly errorFormAt: (target: string) => ErrorForm | undefined;
  /** Refuses requests for a time; undefined where nothing does. */
  readonly maintenance: MaintenanceMode | undefined;
  /** How the paths begin that are answered also where there are too many connections or requests, such as `/health/`. */
  readonly alwaysAnswered: readonly string[];
  /** Path of the public address, without a slash at its end; `Location` and `Link` begin with it. SPEC §1.1 */
  readonly basePath: string;
  /** Where a browser is led that asks for `/`; nowhere, where it is left out. SPEC §1.1 */
  readonly home?: string | undefined;
  /** Whether a request target asks to be kept waiting: such a request is never refused because there are too many. */
  readonly isPatient: (target: string) => boolean;
  /**
   * Called with each request as it begins, for a log of responses.
   * @param queuedAtMs when it arrived, where it had to wait.
   */
  readonly onAnswer: (reply: FastifyReply, queuedAtMs: number | undefined) => void;
  /** Tells whose turns a request takes. */
  readonly fairnessKeys: Pick<FairnessKeys, 'keyOf' | 'recognize'>;
  /** Called for requests that are refused because there are too many. */
  readonly overload: OverloadListener | undefined;
}
