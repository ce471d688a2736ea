import type { Answer } from '@items/testing';

/** Quota in the headers of a response. */
export type QuotaShown = [limit: number, remaining: number, policy: string];

export const quotaOf = (answer: Answer): QuotaShown => quotaFrom((name) => answer.header(name));

/** Reads the quota from a response of `fetch`. */
export const quotaOfForm = ({ headers }: Response): QuotaShown => quotaFrom((name) => headers.get(name) ?? undefined);

function quotaFrom(header: (name: string) => string | undefined): QuotaShown {
  const policy = /^"(\w+)"/.exec(header('ratelimit-policy') ?? '')?.[1] ?? '';
  return [Number(header('x-ratelimit-limit')), Number(header('x-ratelimit-remaining')), policy];
}
