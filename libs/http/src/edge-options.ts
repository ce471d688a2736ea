import type { IncomingMessage } from 'node:http';

import type { ApiError } from '@items/conventions';
import type { ErrorAnswer } from '@items/conventions/answer';
import type { FastifyReply } from 'fastify';

import type { ConnectionLimits } from './connections.js';
import type { CorsOptions } from './cors.js';
import type { Translation } from './translation.js';
import type { CloseListener } from './on-response-close.js';

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

/** Hears of overload, for a log of it. */
export interface OverloadListener {
  /** A request is refused. @param isBehindDatabase whether requests wait for the database, or for this process. */
  refused(isBehindDatabase: boolean): void;
  /** Nothing waits any more. */
  relieved(): void;
}

/** What an application decides about its edge. */
export interface EdgeOptions {
  /** Hears of what is refused before it is a request. */
  readonly log: EdgeLog;
  /** Whether the server itself speaks TLS. */
  readonly isHttps: boolean;
  readonly cors: CorsOptions;
  readonly limits: ConnectionLimits;
  /** Headers of every answer beside those that all services have; without a message, of what never became a request. */
  readonly ownHeaders: (message?: Pick<IncomingMessage, 'headers'>) => Readonly<Record<string, string>>;
  /** How the errors of a request target are written, where they have not the one form of all others. */
  readonly errorFormAt: (target: string) => ErrorForm | undefined;
  /** How a request in another form than the application's own is told; undefined for one that needs nothing. */
  readonly translationOf: (message: IncomingMessage) => Translation | undefined;
  /** Why a request target is refused for now, whatever it asks for. */
  readonly refusalFor: (target: string) => ApiError | undefined;
  /** How the paths begin that are answered also where there are too many connections or requests, such as `/health/`. */
  readonly alwaysAnswered: readonly string[];
  /** Where a browser is led that asks for `/`; nowhere, where it is left out. SPEC §1.1 */
  readonly home?: string | undefined;
  /** Whether a request target asks to be kept waiting: such a request is never refused because there are too many. */
  readonly isPatient: (target: string) => boolean;
  /**
   * Told of each request as it begins, for a log of answers.
   * @param queuedAtMs when it arrived, where it had to wait.
   * @returns what is to be told when the answer is over, by a function that is made only once.
   */
  readonly onAnswer: (reply: FastifyReply, queuedAtMs: number | undefined) => CloseListener | undefined;
  /** Who makes a request, as far as that is known before it is judged: those requests wait for one another. */
  readonly holderOf: (message: IncomingMessage) => string;
  /** Hears of requests that are refused because there are too many. */
  readonly overload: OverloadListener | undefined;
}
