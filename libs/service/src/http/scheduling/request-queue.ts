import type { RequestListener, Server, ServerResponse } from 'node:http';

import { ServiceUnavailableError } from '@items/conventions';
import { prerendered } from '@items/conventions/answer';

import type { Database } from '../../data/database/database.js';
import { withFairnessKey } from '../../data/fairness/current-key.js';
import { CpuClock, LOOK_EVERY_MS } from './cpu-clock.js';
import type { EdgeOptions } from '../edge-options.js';
import {
  ACCEPTING_TURN_MS,
  ACCEPTING_TURNS,
  LONG_WORK_MS,
  MAX_BEGUN,
  MAX_QUEUED,
  MAX_QUEUE_MS,
  MAX_TURN_MS,
  MAX_WAIT_MS,
  MIN_BACKLOG,
} from '../limits.js';
import { COUNTED_BY, QUEUED_AT, type ReceivedRequest, REFUSAL, RESPONSE } from '../received-request.js';
import { WaitingRequests } from './waiting-requests.js';

/** Answers a request whose turn has not come in time. */
export const OVERLOADED = prerendered(
  new ServiceUnavailableError('overloaded', 'The service has more to do than it can; try again shortly.'),
);

/** What is decided by those who know what a request needs. */
export type RequestQueueOptions = Pick<EdgeOptions, 'alwaysAnswered' | 'isPatient' | 'overload' | 'fairnessKeys'>;

/**
 * Begins requests: as many in one turn of the event loop as leave it time for new connections, of which Node accepts one a
 * turn, and not more than the database has use for. The others wait here: those of one user as
 * {@link CredentialTurns} says, and the user goes first that has used the least of the main thread. One that has waited too long is refused
 * while many are under way, and begun where few are: a database that is down fails it as soon as those before it.
 * One that asks to be kept waiting is not refused: it waits for another turn. ADR 46, ADR 65
 */
export class RequestQueue {
  private readonly waiting = new WaitingRequests();
  private begun = 0;
  private backlog: () => number = () => 0;
  private hasPool = false;
  private handle: RequestListener = () => {
    throw new Error('Nothing serves the requests of this queue.');
  };
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

  constructor(
    private readonly options: RequestQueueOptions,
    private readonly cpu = new CpuClock(),
  ) {}

  /** How many requests wait at this moment, and how many were refused since the process began. */
  get use(): { readonly waiting: number; readonly refused: number } {
    return { waiting: this.waiting.size, refused: this.refusedInAll };
  }

  /** @param handle takes a request when its turn has come. */
  serve(handle: RequestListener): void {
    this.handle = handle;
  }

  /** @param server whose new connections are to be accepted soon. */
  watch(server: Server): void {
    server.on('connection', () => {
      this.isAccepting = true;
    });
  }

  /** @param database whose backlog counts, and whose connections are given out by the turns of requests. */
  follow(database: Pick<Database, 'backlog' | 'dialect'>): void {
    this.backlog = () => database.backlog();
    this.hasPool = database.dialect === 'postgres';
  }

  /** Hands a request on, now or when its turn has come. */
  enter(message: ReceivedRequest, response: ServerResponse): void {
    const nowMs = performance.now();
    const isFull = this.begunInTurn >= MAX_BEGUN || (this.begun >= MAX_BEGUN && this.hasBacklog());
    if (this.isTurnOf(response, nowMs) && !isFull) {
      this.begin(message, response);
      if (response.writableEnded) this.charge(response, nowMs);
      else afterMicrotasks(this.charge, response, nowMs);
    } else if (this.options.alwaysAnswered.some((start) => message.url?.startsWith(start))) {
      this.handle(message, response);
    } else {
      this.wait(message, response);
    }
  }

  /** Another turn for a request that has begun; undefined where it is now. */
  again(response: ServerResponse, mayBeRefused: boolean, unmeasuredMs: number): Promise<void> | undefined {
    const nowMs = performance.now();
    if (this.isTurnOf(response, nowMs)) {
      afterMicrotasks(this.charge, response, nowMs);
      return undefined;
    }
    return new Promise((run, reject) => {
      const message: ReceivedRequest = response.req;
      const fairnessKey = this.options.fairnessKeys.keyOf(message);
      const refuse = mayBeRefused ? () => reject(OVERLOADED) : undefined;
      // All turns of a request that has no response yet are one wait.
      const arrivedAtMs = mayBeRefused ? (message[QUEUED_AT] ??= nowMs) : nowMs;
      const untilMs = arrivedAtMs + MAX_WAIT_MS;
      const turn = {
        fairnessKey,
        run,
        refuse,
        response,
        arrivedAtMs,
        hasBegun: true,
        untilMs,
        isDue: true,
        unmeasuredMs,
      };
      this.waiting.add(turn, nowMs);
    });
  }

  /** A request was authenticated: as {@link FairnessKeys.recognize}. */
  recognize(message: ReceivedRequest, fairnessKey: string | undefined): boolean {
    return this.options.fairnessKeys.recognize(message, fairnessKey);
  }

  /** A request that was begun is over, or rests. */
  leave(message: ReceivedRequest): void {
    if (message[COUNTED_BY] === undefined) return;
    message[COUNTED_BY] = undefined;
    this.begun -= 1;
    if (this.waiting.size > 0) this.turnEnd ??= setImmediate(this.endTurn);
  }

  /** Whether there is time left in this turn of the event loop, and no other goes first. */
  private isTurnOf(response: ServerResponse, nowMs: number): boolean {
    this.turnEnd ??= setImmediate(this.endTurn);
    this.turnBeganAtMs ??= nowMs;
    if (nowMs - this.cpu.lookedAtMs >= LOOK_EVERY_MS) this.cpu.lookAt(nowMs);
    if (nowMs - this.turnBeganAtMs >= (this.isAccepting ? ACCEPTING_TURN_MS : MAX_TURN_MS)) return false;
    return this.waiting.isQuiet || this.waiting.mayPass(this.options.fairnessKeys.keyOf(response.req), response, nowMs);
  }

  /** Those that wait for something else than the database, such as a slow client, are no reason to begin no other. */
  private hasBacklog(): boolean {
    return this.begun >= MAX_BEGUN && this.backlog() >= MIN_BACKLOG;
  }

  private begin(message: ReceivedRequest, response: ServerResponse): void {
    message[COUNTED_BY] = this;
    message[RESPONSE] = response;
    this.begun += 1;
    this.begunInTurn += 1;
    response.on('close', () => {
      this.leave(message);
    });
    if (!this.hasPool) this.handle(message, response);
    else {
      withFairnessKey(
        () => this.options.fairnessKeys.keyOf(message),
        () => {
          this.handle(message, response);
        },
      );
    }
  }

  /** It arrived when the turn began, however late it is looked at. */
  private wait(message: ReceivedRequest, response: ServerResponse): void {
    const arrivedAtMs = this.turnBeganAtMs ?? performance.now();
    const run = (): void => {
      message[QUEUED_AT] = arrivedAtMs;
      this.begin(message, response);
    };
    const refuse = (): void => {
      message[QUEUED_AT] = arrivedAtMs;
      if (message[REFUSAL] === undefined) message[REFUSAL] = OVERLOADED;
      this.refusedInAll += 1;
      this.options.overload?.refused(this.hasBacklog());
      this.handle(message, response);
    };
    if (this.waiting.size === MAX_QUEUED) {
      refuse();
      return;
    }
    this.waiting.add({
      fairnessKey: this.options.fairnessKeys.keyOf(message),
      run,
      refuse: this.options.isPatient(message.url ?? '') ? undefined : refuse,
      response,
      arrivedAtMs,
      hasBegun: false,
      untilMs: arrivedAtMs + MAX_QUEUE_MS,
      isDue: false,
      unmeasuredMs: 0,
    });
  }

  /**
   * Charges the user with what a request took of the main thread until others have it. Short work is not charged where
   * nothing waits.
   */
  private readonly charge = (response: ServerResponse, beganAtMs: number): void => {
    const nowMs = performance.now();
    if (this.waiting.size === 0 && nowMs - beganAtMs < LONG_WORK_MS) return;
    const tookMs = this.cpu.since(beganAtMs, nowMs);
    if (this.waiting.size === 0 && tookMs < LONG_WORK_MS) return;
    this.waiting.charge(this.options.fairnessKeys.keyOf(response.req), response, tookMs, nowMs);
  };

  /** What has arrived since the last turn was there when this one began, however late it was looked at. */
  private readonly endTurn = (): void => {
    this.turnBeganAtMs = undefined;
    this.turnEnd = undefined;
    this.begunInTurn = 0;
    if (this.isAccepting && this.turnsWithout < ACCEPTING_TURNS) {
      this.turnsWithout += 1;
      if (this.waiting.size > 0) this.turnEnd = setImmediate(this.endTurn);
    } else {
      this.turnsWithout = 0;
      if (this.waiting.size > 0) this.beginWaiting();
    }
    this.isAccepting = false;
  };

  /** Those that wait, until the turn is over: each when the one before has done what it could do at once. */
  private beginWaiting(turnEndsAtMs = performance.now() + (this.isAccepting ? ACCEPTING_TURN_MS : MAX_TURN_MS)): void {
    let nowMs = performance.now();
    while (nowMs < turnEndsAtMs) {
      const next = this.waiting.next(nowMs, this.begunInTurn >= MAX_BEGUN || this.hasBacklog());
      if (next === undefined) {
        if (!this.refuseLate(nowMs)) break;
      } else {
        const beganAtMs = nowMs;
        const charge = (): void => {
          const endedAtMs = performance.now();
          const tookMs = this.cpu.since(beganAtMs, endedAtMs) + next.unmeasuredMs;
          this.waiting.charge(this.options.fairnessKeys.keyOf(next.response.req), next.response, tookMs, endedAtMs);
        };
        turnEndsAtMs -= next.unmeasuredMs;
        if (!next.response.destroyed) next.run();
        if (!next.response.writableEnded && !next.response.destroyed) {
          afterMicrotasks(() => {
            charge();
            this.beginWaiting(turnEndsAtMs);
          });
          return;
        }
        charge();
      }
      nowMs = performance.now();
    }
    // Not before the turn: what is first in it may be late as well, where the process stood still.
    this.refuseLate(nowMs);
    if (this.waiting.size === 0) this.options.overload?.relieved();
    else if (nowMs >= turnEndsAtMs || this.begunInTurn >= MAX_BEGUN) this.turnEnd ??= setImmediate(this.endTurn);
    else this.lookAgainIn(this.waiting.nextLookInMs(nowMs));
  }

  /** @returns whether others may go on now. */
  private refuseLate(nowMs: number): boolean {
    const { refused, areOthersDue } = this.waiting.takeLate(nowMs, this.begun);
    for (const { response, refuse } of refused) if (!response.destroyed) refuse?.();
    return refused.length > 0 || areOthersDue;
  }

  /** Whatever ends before begins the next one; this is for when nothing does. */
  private lookAgainIn(ms: number): void {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => {
      this.turnEnd ??= setImmediate(this.endTurn);
    }, ms).unref();
  }
}

/** Calls back when promises that are known have been followed, and before the event loop goes on. */
function afterMicrotasks<Args extends unknown[]>(callback: (...args: Args) => void, ...args: Args): void {
  queueMicrotask(() => {
    process.nextTick(callback, ...args);
  });
}
