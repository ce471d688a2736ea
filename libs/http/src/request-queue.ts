import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

import { ServiceUnavailableError } from '@items/errors';
import { madeOnce } from '@items/errors/answer';

import {
  ACCEPTING_TURN_MS,
  ACCEPTING_TURNS,
  MAX_BEGUN,
  MAX_QUEUED,
  MAX_QUEUE_MS,
  MAX_TURN_MS,
  MIN_BACKLOG,
  NEVER_REFUSED,
} from './limits.js';
import { whenClosed } from './when-closed.js';

/** Answers a request whose turn has not come in time. */
export const OVERLOADED = madeOnce(
  new ServiceUnavailableError('overloaded', 'The service has more to do than it can; try again shortly.'),
);

/** Hears of overload, for a log of it. */
export interface OverloadListener {
  /** A request is refused. @param isBehindDatabase whether requests wait for the database, or for this process. */
  refused(isBehindDatabase: boolean): void;
  /** Nothing waits any more. */
  relieved(): void;
}

/** What is decided by those who know what a request needs. */
export interface RequestQueueOptions {
  /** How the paths begin that wait for nothing, such as `/health/`. */
  readonly alwaysAnswered: readonly string[];
  readonly overload?: OverloadListener | undefined;
}

const QUEUED_AT = Symbol('when it was queued');
const REFUSED = Symbol('refused');
type Queued = IncomingMessage & { [QUEUED_AT]?: number; [REFUSED]?: true };

interface Waiting {
  readonly message: Queued;
  readonly response: ServerResponse;
  readonly handle: RequestListener;
  readonly arrivedAtMs: number;
}

/** When a request arrived that had to wait for its turn; undefined for one that began at once. */
export function queuedAt(message: Queued): number | undefined {
  return message[QUEUED_AT];
}

/** Whether a request is to be answered {@link OVERLOADED}. */
export function isRefused(message: Queued): boolean {
  return message[REFUSED] === true;
}

/**
 * Begins requests in the order in which they arrived: as many in one turn of the event loop as leave it time for new
 * connections, of which Node accepts one a turn, and not more than the database has use for. The others wait here; one that
 * has waited too long is refused while many are under way, and begun where few are: it is to hear of a database that is down
 * as soon as those before it. ADR 46
 */
export class RequestQueue {
  private readonly waiting: Waiting[] = [];
  private begun = 0;
  private backlog: () => number = () => 0;
  /** Undefined where none has arrived in this turn. */
  private turnBeganAtMs: number | undefined;
  /** Only in the next turn does the database have what they ask of it. */
  private begunInTurn = 0;
  private isAccepting = false;
  /** Turns in a row in which nothing was begun, for connections wait to be accepted. */
  private turnsWithout = 0;
  private turnEnd: NodeJS.Immediate | undefined;
  private deadline: NodeJS.Timeout | undefined;
  private refusedInAll = 0;

  constructor(private readonly options: RequestQueueOptions) {}

  /** How many requests wait at this moment, and how many were refused since the process began. */
  get use(): { readonly waiting: number; readonly refused: number } {
    return { waiting: this.waiting.length, refused: this.refusedInAll };
  }

  /** @param server whose new connections are to be accepted soon. */
  watch(server: Server): void {
    server.on('connection', () => {
      this.isAccepting = true;
    });
  }

  /** @param backlog how much waits for the database. */
  follow(backlog: () => number): void {
    this.backlog = backlog;
  }

  /** Hands a request on, now or when its turn has come. */
  enter(message: IncomingMessage, response: ServerResponse, handle: RequestListener): void {
    const nowMs = performance.now();
    const arrivedAtMs = (this.turnBeganAtMs ??= nowMs);
    this.turnEnd ??= setImmediate(this.endTurn);
    if (this.waiting.length === 0 && nowMs - arrivedAtMs < this.turnMs && this.mayBegin && !this.isFull()) {
      this.begin(message, response, handle);
    } else if (this.options.alwaysAnswered.some((start) => message.url?.startsWith(start))) {
      handle(message, response);
    } else {
      this.waiting.push({ message, response, handle, arrivedAtMs });
      if (this.waiting.length > MAX_QUEUED) this.refuse(this.waiting.pop());
    }
  }

  private get turnMs(): number {
    return this.isAccepting ? ACCEPTING_TURN_MS : MAX_TURN_MS;
  }

  private get mayBegin(): boolean {
    return this.begunInTurn < MAX_BEGUN;
  }

  /** Those that wait for something else than the database, such as a slow client, are no reason to begin no other. */
  private isFull(): boolean {
    return this.begun >= MAX_BEGUN && this.backlog() >= MIN_BACKLOG;
  }

  private begin(message: IncomingMessage, response: ServerResponse, handle: RequestListener): void {
    this.begun += 1;
    this.begunInTurn += 1;
    whenClosed(response, this.end);
    handle(message, response);
  }

  private readonly end = (): void => {
    this.begun -= 1;
    if (this.waiting.length > 0) this.turnEnd ??= setImmediate(this.endTurn);
  };

  /** What has arrived since the last turn was there when this one began, however late it was looked at. */
  private readonly endTurn = (): void => {
    this.turnBeganAtMs = undefined;
    this.turnEnd = undefined;
    this.begunInTurn = 0;
    if (this.isAccepting && this.turnsWithout < ACCEPTING_TURNS) {
      this.turnsWithout += 1;
      if (this.waiting.length > 0) this.turnEnd = setImmediate(this.endTurn);
    } else {
      this.turnsWithout = 0;
      if (this.waiting.length > 0) this.beginWaiting();
    }
    this.isAccepting = false;
  };

  private beginWaiting(): void {
    const beganAtMs = performance.now();
    let nowMs = beganAtMs;
    for (let [first] = this.waiting; first !== undefined && nowMs - beganAtMs < this.turnMs; [first] = this.waiting) {
      const leftMs = first.arrivedAtMs + MAX_QUEUE_MS - nowMs;
      if (leftMs > 0 && this.isFull()) {
        this.lookAgainIn(leftMs);
        return;
      }
      if (leftMs > 0 && !this.mayBegin) break;
      const isTooLate = leftMs <= 0 && this.begun + this.waiting.length > NEVER_REFUSED;
      this.waiting.shift();
      if (isTooLate) this.refuse(first);
      else if (!first.response.destroyed) this.beginLate(first);
      nowMs = performance.now();
    }
    if (this.waiting.length > 0) this.turnEnd ??= setImmediate(this.endTurn);
    else this.options.overload?.relieved();
  }

  private beginLate({ message, response, handle, arrivedAtMs }: Waiting): void {
    message[QUEUED_AT] = arrivedAtMs;
    this.begin(message, response, handle);
  }

  private refuse(refused: Waiting | undefined): void {
    if (refused === undefined || refused.response.destroyed) return;
    const { message, response, handle, arrivedAtMs } = refused;
    message[QUEUED_AT] = arrivedAtMs;
    message[REFUSED] = true;
    this.refusedInAll += 1;
    this.options.overload?.refused(this.isFull());
    handle(message, response);
  }

  /** Whatever ends before begins the next one; this is for when nothing does. */
  private lookAgainIn(ms: number): void {
    this.deadline ??= setTimeout(
      () => {
        this.deadline = undefined;
        this.turnEnd ??= setImmediate(this.endTurn);
      },
      Math.max(ms, MAX_TURN_MS),
    ).unref();
  }
}
