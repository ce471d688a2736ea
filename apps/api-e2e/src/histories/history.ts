import { freshColor } from '@items/testing';

import type { HistoryClient } from './history-client.js';
import {
  isLinearizable,
  type Operation,
  type Seen,
  sessionProblem,
  smallestOf,
  type Total,
  totalProblem,
} from './linearize.js';

/** Maximum number of problems that a test shows. */
const SHOWN = 3;

/** A member and all recorded operations on it. */
export interface Member {
  readonly id: string;
  readonly operations: Operation[];
  /** Values by entity tag. */
  readonly tags: Map<string, string>;
  readonly seen: Map<HistoryClient, Seen[]>;
}

/** The record of all clients of one run, whose members have one colour. */
export class History {
  readonly color = freshColor();
  readonly members: Member[] = [];
  /** Creations without a response. */
  readonly unknownCreations: Operation[] = [];
  readonly totals: Total[] = [];
  readonly problems: string[] = [];
  requests = 0;
  unanswered = 0;
  private values = 0;

  /** @param readsStandbys if true, standbys may serve reads: the service then promises order only to each client. */
  constructor(readonly readsStandbys: boolean) {}

  /** Returns a value that no other write has. */
  nextValue(): string {
    this.values += 1;
    return String(this.values);
  }

  /** Returns the first problems, or an empty list if the history is right. jest-check.ts knows their first word. */
  judge(): readonly string[] {
    const found = [...this.problems];
    for (const { id, operations } of this.members) {
      if (found.length >= SHOWN) break;
      if (!isLinearizable(operations)) found.push(`${id} is not linearizable:\n${linesOf(smallestOf(operations))}`);
    }
    const histories = [
      ...this.members.map(({ operations }) => operations),
      ...this.unknownCreations.map((creation) => [creation]),
    ];
    found.push(...this.totals.flatMap((total) => totalProblem(total, histories) ?? []));
    const sessions = this.readsStandbys ? this.members.flatMap(({ seen }) => [...seen.values()]) : [];
    found.push(...sessions.flatMap((seen) => sessionProblem(seen) ?? []));
    return found.slice(0, SHOWN).map((problem) => `Violation: ${problem}`);
  }

  get figure(): string {
    const { requests, unanswered, members, totals } = this;
    return `${requests} requests (${unanswered} without a response), ${members.length} members, ${totals.length} totals`;
  }
}

function linesOf(operations: readonly Operation[]): string {
  const start = operations[0]?.begun ?? 0;
  return operations
    .map(({ kind, value = '-', expected, outcome, begun, ended }) => {
      const time = `${(begun - start).toFixed(1)} to ${(ended - start).toFixed(1)} ms`;
      return `${time}: ${kind} ${value}${expected === undefined ? '' : ` if ${expected}`}: ${outcome}`;
    })
    .join('\n');
}
