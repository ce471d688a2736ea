import type { RequestListener, Server, ServerResponse } from 'node:http';

import { ServiceUnavailableError } from '@items/conventions';
import { prerendered } from '@items/conventions/answer';

import { withFairnessKey } from '../../data/fairness/fairness-key.js';
import type { EdgeOptions } from '../edge-options.js';
import {
  ACCEPTING_TURN_MS,
  ACCEPTING_TURNS,
  LONG_WORK_MS,
  MAX_STARTED,
  MAX_QUEUED,
  MAX_QUEUE_MS,
  MAX_TURN_MS,
  MAX_WAIT_MS,
  MIN_BACKLOG,
} from '../limits.js';
import { COUNTED_BY, QUEUED_AT, type ReceivedRequest, REFUSAL, RESPONSE } from '../received-request.js';
import { RequestScheduler } from './request-scheduler.js';

export const OVERLOADED = prerendered(
  new ServiceUnavailableError('overloaded', 'The service is overloaded; try again shortly.'),
);

const CHEAP_MS = 2;
/** Minimum interval of CPU-time readings before work. Each takes a tenth of the time of a GET. */
const READ_INTERVAL_MS = 20;

interface ThreadProcess {
  threadCpuUsage?(): NodeJS.CpuUsage;
}

const usageOfThread = (process as ThreadProcess).threadCpuUsage?.bind(process) ?? process.cpuUsage.bind(process);

/** Distinguishes work that held the main thread from work that lost the core to another process. */
export class CpuClock {
  /** Time of the last reading. Call {@link readAt} before work if this is {@link READ_INTERVAL_MS} ago. */
  readAtMs = -Infinity;
  private usedMs = 0;

  constructor(private readonly usage: () => NodeJS.CpuUsage = usageOfThread) {}

  readAt(nowMs: number): void {
    const { user, system } = this.usage();
    this.readAtMs = nowMs;
    this.usedMs = (user + system) / 1000;
  }

  /** Returns the smaller of the wall time of the work and the CPU time since the last reading. */
  since(beganAtMs: number, nowMs: number): number {
    const tookMs = nowMs - beganAtMs;
    if (tookMs < CHEAP_MS) return tookMs;
    const before = this.usedMs;
    this.readAt(nowMs);
    return Math.min(tookMs, this.usedMs - before);
  }
}

export type RequestQueueOptions = Pick<EdgeOptions, 'alwaysServed' | 'isLongPoll' | 'overload' | 'fairnessKeys'>;

interface QueuedDatabase {
  readonly dialect: 'sqlite' | 'postgres';
  backlog(): number;
}

/**
 * Limits how many requests start per turn of the event loop, to leave time for new connections. Limits started requests
 * in total to what the database needs. Other requests wait in a {@link RequestScheduler}. A request that has waited too
 * long is refused if many are in progress. Otherwise it starts despite a backlog, and fails soon if the database is
 * down. A long poll is refused only if the queue is full. ADR 46, ADR 105
 */
export class RequestQueue {
  readonly fairnessKeys: RequestQueueOptions['fairnessKeys'];
  private readonly waiting = new RequestScheduler();
  private started = 0;
  private database: QueuedDatabase | undefined;
  private handle: RequestListener = () => {
    throw new Error('serve() has not been called.');
  };
  private turnBeganAtMs: number | undefined;
  /** Requests started in this turn. Their database load is not measured yet. */
  private startedInTurn = 0;
  private isAccepting = false;
  /** Consecutive turns that started no request, because connections waited to be accepted. */
  private skippedTurns = 0;
  private turnEnd: NodeJS.Immediate | undefined;
  private deadline: NodeJS.Timeout | undefined;
  private refusedInAll = 0;

  constructor(
    private readonly options: RequestQueueOptions,
    private readonly cpu = new CpuClock(),
  ) {
    this.fairnessKeys = options.fairnessKeys;
  }

  get use(): { readonly waiting: number; readonly refused: number } {
    return { waiting: this.waiting.size, refused: this.refusedInAll };
  }

  serve(handle: RequestListener): void {
    this.handle = handle;
  }

  watch(server: Server): void {
    server.on('connection', () => {
      this.isAccepting = true;
    });
  }

  /** @param database its backlog limits the number of started requests. */
  follow(database: QueuedDatabase): void {
    this.database = database;
  }

  enter(message: ReceivedRequest, response: ServerResponse): void {
    const nowMs = performance.now();
    const isFull = this.startedInTurn >= MAX_STARTED || (this.started >= MAX_STARTED && this.hasBacklog());
    if (this.canStart(response, nowMs) && !isFull) {
      this.start(message, response);
      if (response.writableEnded) this.charge(response, nowMs);
      else afterMicrotasks(this.charge, response, nowMs);
    } else if (this.options.alwaysServed.some((start) => message.url?.startsWith(start))) {
      this.handle(message, response);
    } else {
      this.wait(message, response);
    }
  }

  waitForSlot(response: ServerResponse, mayBeRefused: boolean, unmeasuredMs: number): Promise<void> | undefined {
    const nowMs = performance.now();
    if (this.canStart(response, nowMs)) {
      afterMicrotasks(this.charge, response, nowMs);
      return undefined;
    }
    return new Promise((run, reject) => {
      const message: ReceivedRequest = response.req;
      const fairnessKey = this.fairnessKeys.keyOf(message);
      const refuse = mayBeRefused ? () => reject(OVERLOADED) : undefined;
      // The maximum wait covers all waits of a request until its response begins.
      const arrivedAtMs = mayBeRefused ? (message[QUEUED_AT] ??= nowMs) : nowMs;
      const times = { arrivedAtMs, untilMs: arrivedAtMs + MAX_WAIT_MS };
      const queued = {
        ...times,
        fairnessKey,
        run,
        refuse,
        response,
        hasStarted: true,
        ignoresBacklog: true,
        unmeasuredMs,
      };
      this.waiting.add(queued, nowMs);
    });
  }

  /** Call when a started request has ended, or waits for an event. */
  leave(message: ReceivedRequest): void {
    if (message[COUNTED_BY] === undefined) return;
    message[COUNTED_BY] = undefined;
    this.started -= 1;
    if (this.waiting.size > 0) this.turnEnd ??= setImmediate(this.endTurn);
  }

  private canStart(response: ServerResponse, nowMs: number): boolean {
    this.turnEnd ??= setImmediate(this.endTurn);
    this.turnBeganAtMs ??= nowMs;
    if (nowMs - this.cpu.readAtMs >= READ_INTERVAL_MS) this.cpu.readAt(nowMs);
    if (nowMs - this.turnBeganAtMs >= (this.isAccepting ? ACCEPTING_TURN_MS : MAX_TURN_MS)) return false;
    return this.waiting.isIdle || this.waiting.canStartNow(this.fairnessKeys.keyOf(response.req), response, nowMs);
  }

  /** Many started requests alone are no backlog: they may wait for slow clients. */
  private hasBacklog(): boolean {
    return this.started >= MAX_STARTED && (this.database?.backlog() ?? 0) >= MIN_BACKLOG;
  }

  private start(message: ReceivedRequest, response: ServerResponse): void {
    message[COUNTED_BY] = this;
    message[RESPONSE] = response;
    this.started += 1;
    this.startedInTurn += 1;
    response.on('close', () => this.leave(message));
    if (this.database?.dialect !== 'postgres') this.handle(message, response);
    else {
      // The pool of PostgreSQL orders work by this key.
      withFairnessKey(
        () => this.fairnessKeys.keyOf(message),
        () => this.handle(message, response),
      );
    }
  }

  private wait(message: ReceivedRequest, response: ServerResponse): void {
    const arrivedAtMs = this.turnBeganAtMs ?? performance.now();
    const run = (): void => {
      message[QUEUED_AT] = arrivedAtMs;
      this.start(message, response);
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
      fairnessKey: this.fairnessKeys.keyOf(message),
      run,
      refuse: this.options.isLongPoll(message.url ?? '') ? undefined : refuse,
      response,
      arrivedAtMs,
      hasStarted: false,
      untilMs: arrivedAtMs + MAX_QUEUE_MS,
      ignoresBacklog: false,
      unmeasuredMs: 0,
    });
  }

  /** Short work is free while the queue is empty, because it delays no request. */
  private readonly charge = (response: ServerResponse, beganAtMs: number): void => {
    const nowMs = performance.now();
    if (this.waiting.size === 0 && nowMs - beganAtMs < LONG_WORK_MS) return;
    const tookMs = this.cpu.since(beganAtMs, nowMs);
    if (this.waiting.size === 0 && tookMs < LONG_WORK_MS) return;
    this.waiting.charge(this.fairnessKeys.keyOf(response.req), response, tookMs, nowMs);
  };

  private readonly endTurn = (): void => {
    this.turnBeganAtMs = undefined;
    this.turnEnd = undefined;
    this.startedInTurn = 0;
    if (this.isAccepting && this.skippedTurns < ACCEPTING_TURNS) {
      this.skippedTurns += 1;
      if (this.waiting.size > 0) this.turnEnd = setImmediate(this.endTurn);
    } else {
      this.skippedTurns = 0;
      if (this.waiting.size > 0) this.startWaiting();
    }
    this.isAccepting = false;
  };

  private startWaiting(turnEndsAtMs = performance.now() + (this.isAccepting ? ACCEPTING_TURN_MS : MAX_TURN_MS)): void {
    let nowMs = performance.now();
    while (nowMs < turnEndsAtMs) {
      const next = this.waiting.next(nowMs, this.startedInTurn >= MAX_STARTED || this.hasBacklog());
      if (next === undefined) {
        if (!this.refuseLate(nowMs)) break;
      } else {
        const beganAtMs = nowMs;
        const charge = (): void => {
          const endedAtMs = performance.now();
          const tookMs = this.cpu.since(beganAtMs, endedAtMs) + next.unmeasuredMs;
          this.waiting.charge(this.fairnessKeys.keyOf(next.response.req), next.response, tookMs, endedAtMs);
        };
        turnEndsAtMs -= next.unmeasuredMs;
        if (!next.response.destroyed) next.run();
        if (!next.response.writableEnded && !next.response.destroyed) {
          afterMicrotasks(() => {
            charge();
            this.startWaiting(turnEndsAtMs);
          });
          return;
        }
        charge();
      }
      nowMs = performance.now();
    }
    // All requests may be late after the process was blocked. Refuse after the loop, so that some start.
    this.refuseLate(nowMs);
    if (this.waiting.size === 0) this.options.overload?.relieved();
    else if (nowMs >= turnEndsAtMs || this.startedInTurn >= MAX_STARTED) this.turnEnd ??= setImmediate(this.endTurn);
    else this.checkIn(this.waiting.nextCheckInMs(nowMs));
  }

  private refuseLate(nowMs: number): boolean {
    const { refused, releasedOthers } = this.waiting.removeLate(nowMs, this.started);
    for (const { response, refuse } of refused) if (!response.destroyed) refuse?.();
    return refused.length > 0 || releasedOthers;
  }

  /** Schedules a check of the queue. The end of a request triggers a check, too. */
  private checkIn(ms: number): void {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => {
      this.turnEnd ??= setImmediate(this.endTurn);
    }, ms).unref();
  }
}

/** Calls back after pending promise callbacks and before the event loop continues. */
function afterMicrotasks<Args extends unknown[]>(callback: (...args: Args) => void, ...args: Args): void {
  queueMicrotask(() => process.nextTick(callback, ...args));
}
