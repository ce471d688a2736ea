import { findProgram } from '@items/testing';

import { describeStartedOnce } from '../harness/service.js';
import { endLoads, type Findings } from './load.js';

/** Long, because some faults repeat for minutes. */
const LIMIT_MS = 900_000;
/** Packages of Debian and Ubuntu whose names differ from those of their programs. */
const PACKAGES: Readonly<Record<string, string>> = { etcd: 'etcd-server' };

/** How to install missing programs of a cluster. Does not list PostgreSQL, which is also an npm package. */
export const CLUSTER = programs('haproxy', 'redis-server');

/** Returns how to install missing programs, or undefined if none is missing. */
export function programs(...names: readonly string[]): string | undefined {
  const missing = names.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return undefined;
  return `on Debian and Ubuntu: apt-get install ${missing.map((name) => PACKAGES[name] ?? name).join(' ')}`;
}

/**
 * Registers a test that causes a fault in real processes. It runs once, because it uses no database of the black box
 * tests.
 * @param lack reason why this machine cannot cause the fault. If given, the test is skipped.
 */
export function fault(name: string, title: string, lack: string | undefined, cause: () => Promise<void>): void {
  if (lack !== undefined && globalThis.isFirstDatabase) process.stderr.write(`SKIPPED: ${name}: ${lack}\n`);
  (lack === undefined ? describeStartedOnce : describe.skip)('Faults', () => {
    it(
      `${name}: ${title}`,
      async () => {
        try {
          await cause();
        } finally {
          await endLoads();
        }
      },
      LIMIT_MS,
    );
  });
}

/** Maximum effects of a fault. */
export interface Limits {
  /** Number of failed requests. */
  readonly failed?: number;
  /** Requests may fail for `within` milliseconds after `since`. */
  readonly back?: { readonly since: number; readonly within: number };
  /** Longest latency. */
  readonly longestMs?: number;
}

/**
 * Checks that acknowledged writes exist and walks are exact, regardless of the limits. Prints the figures for
 * docs/faults.md.
 * @param more further figures of this fault.
 */
export function expectHeld(findings: Findings, { failed, back, longestMs }: Limits, more?: string): void {
  const { requests, acknowledged, walks, violations, lastFailureMs } = findings;
  const backMs = Math.max(0, lastFailureMs - (back?.since ?? 0));
  const figures = [`${acknowledged} writes acknowledged, ${walks} walks`, `failed ${findings.failures} of ${requests}`];
  if (back !== undefined) figures.push(`back after ${seconds(backMs)}`);
  figures.push(`longest request ${seconds(findings.longestMs)}`);
  if (more !== undefined) figures.push(more);
  process.stderr.write(`${String(expect.getState().currentTestName)}\n  ${figures.join('; ')}\n`);
  expect(violations.slice(0, 5)).toEqual([]);
  expect(acknowledged).toBeGreaterThan(0);
  expect(walks).toBeGreaterThan(0);
  expect(findings.failed).toBeLessThanOrEqual(failed ?? Infinity);
  expect(findings.longestMs).toBeLessThanOrEqual(longestMs ?? Infinity);
  if (back !== undefined) expect(backMs).toBeLessThanOrEqual(back.within);
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
