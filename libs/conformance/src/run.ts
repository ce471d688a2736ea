import { randomBytes, createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { checksOf, type Choice, chosen, type Profile } from './checks/all-checks.js';
import { type Check, type CheckContext } from './check.js';
import { discover } from './discovery/discover.js';
import { Findings } from './discovery/findings.js';
import { type Judgement, type Result } from './judgement.js';
import { OwnItems } from './lists/own-items.js';
import { QuietWalks } from './lists/quiet-tally.js';
import { namingOf, type NamingOptions } from './naming/naming.js';
import { Translation } from './service/translation.js';
import { idOf } from './pages/walk.js';
import { wholeList } from './lists/whole-list.js';
import { sections } from './report/sections.js';
import { resultsOf } from './results-of.js';
import { Created } from './service/created.js';
import { Credentials, type Header } from './service/credentials.js';
import { fieldsOf } from './service/exchange.js';
import { Service } from './service/service.js';
import { Transport } from './service/transport.js';
import { CannotJudge, ServiceGone } from './verdict.js';

export interface Options extends Choice {
  /** `https://…`, with or without a path prefix; a trailing slash is ignored. */
  readonly url: string;
  readonly profile?: Profile;
  /** Default: the names of the seed specification. */
  readonly naming?: NamingOptions;
  /** Ids of checks that are known to fail. */
  readonly known?: readonly string[];
  readonly headers?: readonly Header[];
  readonly readOnlyHeaders?: readonly Header[];
  /** Runs with the same seed give created resources the same names. */
  readonly seed?: string;
  /** Maximum wait for a response. Default 10. */
  readonly timeoutSeconds?: number;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly onProgress?: (done: number, all: number, id: string) => void;
  /** Called when the quota is exhausted and the run waits for the next window. */
  readonly onWait?: (seconds: number) => void;
  /** Ends the run; created resources are still deleted. */
  readonly signal?: AbortSignal;
}

/**
 * Judges a service by each sentence of the profile (see {@link Check}).
 * @throws {CannotJudge} No response, a refused credential, or an unknown check.
 */
export async function judge(options: Options): Promise<Judgement> {
  const started = performance.now();
  const { profile = 'seed', timeoutSeconds = 10 } = options;
  const checks = chosen(checksOf(profile), options);
  const known = knownIds(options.known ?? []);
  const transport = new Transport(timeoutSeconds * 1000);
  const created = new Created();
  const context = contextOf(options, transport, created);
  const { service, found, quiet } = context;
  const end = (): Promise<string[]> => cleanUp(service, found, created).finally(() => transport.close());
  let results: Result[];
  try {
    results = await resultsIn(context, checks, known, options);
  } catch (error) {
    const left = await end();
    if (error instanceof CannotJudge && left.length > 0) throw new CannotJudge([error.message, ...left].join(' '));
    throw error;
  }
  found.notes.push(...(await end()));
  return {
    url: service.baseUrl,
    profile,
    conformant: results.every(({ status }) => status !== 'failed' && status !== 'fixed'),
    paging: quiet.scope(found),
    checks: results.sort((one, other) => sections.indexOf(one.section) - sections.indexOf(other.section)),
    notes: found.notes,
    seconds: (performance.now() - started) / 1000,
  };
}

function contextOf(options: Options, transport: Transport, created: Created): CheckContext {
  const service = new Service(
    options.url.replace(/\/$/, ''),
    new Credentials(options.headers ?? [], options.readOnlyHeaders ?? []),
    transport,
    created,
    options.sleep ?? ((ms) => sleepFor(ms, options.signal)),
    new Translation(namingOf(options.naming ?? {})),
    options.onWait,
  );
  const found = new Findings();
  const word = words(options.seed);
  return {
    service,
    found,
    items: new OwnItems(service, found, created, word),
    quiet: new QuietWalks(),
    word,
    label: (prefix) => word(prefix).replaceAll('-', '').slice(0, 24),
    once: memory(),
  };
}

async function resultsIn(
  context: CheckContext,
  checks: readonly Check[],
  known: ReadonlySet<string>,
  { profile = 'seed', skip = [], signal, onProgress }: Options,
): Promise<Result[]> {
  await discover(context).catch((error: unknown) => {
    if (!(error instanceof ServiceGone)) throw error;
  });
  for (const name of ['users', 'orders'] as const) {
    if (skip.includes(name)) context.found.lacks(name, `omitted (--skip ${name})`);
  }
  const observers = chosen(checksOf(profile), { skip }).filter((check) => 'observed' in check);
  const onStep = (done: number, id: string): void => {
    if (signal?.aborted) throw new CannotJudge('Interrupted.');
    onProgress?.(done, checks.length, id);
  };
  return resultsOf({ checks, observers, known, onStep }, context);
}

/** @returns A sentence for each kind of resource that remains. */
async function cleanUp(service: Service, found: Findings, created: Created): Promise<string[]> {
  await findItemsWithoutId(service, found, created).catch(() => undefined);
  const left = await created.deleteAll(async (path) => (await service.send({ method: 'DELETE', path })).status);
  const { undeletable } = created;
  return [
    ...(left.length > 0
      ? [
          `Created resources that could not be deleted: ${left.length}, such as ${service.translation.path(left[0] ?? '')}.`,
        ]
      : []),
    ...(undeletable > 0
      ? [`Created resources that remain, because the service has no DELETE for them: ${undeletable}.`]
      : []),
  ];
}

/** Finds items by name: their creation returned no id, but the run must delete them. */
async function findItemsWithoutId(service: Service, found: Findings, created: Created): Promise<void> {
  const names = new Set(created.namesWithoutId);
  if (names.size === 0) return;
  for (const row of (await wholeList(service, found)).rows) {
    const { name } = fieldsOf(row);
    if (typeof name === 'string' && names.has(name)) created.remember('/items', idOf(row), name);
  }
}

function knownIds(ids: readonly string[]): ReadonlySet<string> {
  const all = new Set(checksOf('full').map(({ id }) => id));
  const unknown = ids.filter((id) => !all.has(id));
  if (unknown.length > 0) throw new CannotJudge(`There is no check ${unknown.join(', ')}, which --known names.`);
  return new Set(ids);
}

/** Makes words that differ in each call. Runs with the same seed make the same words. */
function words(seed: string | undefined): (prefix: string) => string {
  const run =
    seed === undefined ? randomBytes(4).toString('hex') : createHash('sha256').update(seed).digest('hex').slice(0, 8);
  let count = 0;
  return (prefix) => `${prefix}-${run}-${++count}`;
}

function memory(): CheckContext['once'] {
  const made = new Map<string, Promise<unknown>>();
  return <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(key) ?? make();
    made.set(key, known);
    return known as Promise<T>;
  };
}

async function sleepFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {
    throw new CannotJudge('Interrupted.');
  });
}
