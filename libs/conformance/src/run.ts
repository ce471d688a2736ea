import { randomBytes, createHash } from 'node:crypto';
import { type Check, type Status } from './check.js';
import { checksOf, type Profile } from './checks/all-checks.js';
import { type CheckContext } from './context.js';
import { discover } from './discovery/discover.js';
import { Findings } from './discovery/findings.js';
import { OwnItems } from './lists/own-items.js';
import { idOf } from './pages/rows.js';
import { wholeList } from './lists/whole-list.js';
import { Created } from './service/created.js';
import { Credentials, type Header } from './service/credentials.js';
import { answerInShort, fieldsOf } from './service/exchange.js';
import { Service } from './service/service.js';
import { Transport } from './service/transport.js';
import { curlOf } from './report/curl.js';
import { CannotJudge, NotApplicable, Unmet } from './verdict.js';

/** What to judge, and how. */
export interface Options {
  /** The service's address, `https://…`, with a path prefix or without; a trailing slash means nothing. */
  readonly url: string;
  readonly profile?: Profile;
  readonly headers?: readonly Header[];
  readonly readOnlyHeaders?: readonly Header[];
  /** Only checks whose section or id begins so: `§4`, `4.cursor`. */
  readonly only?: readonly string[];
  /** None of these collections (`users`, `orders`), sections or ids. */
  readonly skip?: readonly string[];
  /** Makes the names of what is created repeatable. */
  readonly seed?: string;
  /** How long one answer may take. Default 10. */
  readonly timeoutSeconds?: number;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly onProgress?: (done: number, all: number, id: string) => void;
  /** Ends the run; what was created is deleted again. */
  readonly signal?: AbortSignal;
}

/** What was judged about one sentence, as every report shows it. No text of it holds a credential. */
export interface Result extends Pick<Check, 'id' | 'section' | 'source' | 'sentence' | 'level'> {
  readonly status: Status;
  /** Why it is not applicable. */
  readonly reason?: string;
  readonly failure?: { readonly curl: string; readonly expected: string; readonly came: string };
}

export interface Judgement {
  readonly url: string;
  readonly profile: Profile;
  readonly conformant: boolean;
  readonly checks: readonly Result[];
  /** What a pass does not mean, and what could not be deleted again. */
  readonly notes: readonly string[];
  readonly seconds: number;
}

/**
 * Judges a service, sentence by sentence.
 * @throws {CannotJudge} nothing answers there, the credential is refused, or there is no such check.
 */
export async function judge(options: Options): Promise<Judgement> {
  const started = performance.now();
  const profile = options.profile ?? 'seed';
  const checks = chosen(checksOf(profile), options);
  const credentials = new Credentials(options.headers ?? [], options.readOnlyHeaders ?? []);
  const transport = new Transport((options.timeoutSeconds ?? 10) * 1000);
  const created = new Created();
  const baseUrl = options.url.replace(/\/$/, '');
  const service = new Service(
    baseUrl,
    credentials,
    transport,
    created,
    options.sleep ?? ((ms) => sleepFor(ms, options.signal)),
  );
  const found = new Findings();
  const word = words(options.seed);
  const context: CheckContext = {
    service,
    found,
    items: new OwnItems(service, found, created, word),
    word,
    once: memory(),
  };
  const results: Result[] = [];
  try {
    await discover(context);
    for (const name of ['users', 'orders'] as const) {
      if (options.skip?.includes(name)) found.lacks(name, `left out (--skip ${name})`);
    }
    for (const check of checks) {
      if (options.signal?.aborted) throw new CannotJudge('Interrupted.');
      options.onProgress?.(results.length, checks.length, check.id);
      results.push(await resultOf(check, context));
    }
  } catch (error) {
    const left = await cleanUp(service, found, created).finally(() => transport.close());
    if (error instanceof CannotJudge && left.length > 0) throw new CannotJudge([error.message, ...left].join(' '));
    throw error;
  }
  found.notes.push(...(await cleanUp(service, found, created).finally(() => transport.close())));
  return {
    url: baseUrl,
    profile,
    conformant: results.every(({ status }) => status !== 'failed'),
    checks: results.sort(bySection),
    notes: found.notes,
    seconds: (performance.now() - started) / 1000,
  };
}

/** Deletes what the run has created. @returns a sentence for each kind of what is left. */
async function cleanUp(service: Service, found: Findings, created: Created): Promise<string[]> {
  await findUntold(service, found, created).catch(() => undefined);
  const left = await created.deleteAll(async (path) => (await service.send({ method: 'DELETE', path })).status);
  const kept = created.kept;
  return [
    ...(left.length > 0 ? [`${left.length} of the created could not be deleted again, such as ${left[0] ?? ''}.`] : []),
    ...(kept > 0 ? [`${kept} of the created stay: the service has no DELETE for them.`] : []),
  ];
}

/** Items whose creation told no id are found by their names, so that they are deleted as well. */
async function findUntold(service: Service, found: Findings, created: Created): Promise<void> {
  if (created.untold.size === 0) return;
  for (const row of (await wholeList(service, found)).rows) {
    const { name } = fieldsOf(row);
    if (typeof name === 'string' && created.untold.has(name)) created.remember('/items', idOf(row), name);
  }
}

async function resultOf(check: Check, context: CheckContext): Promise<Result> {
  const { id, section, source, sentence, level } = check;
  const told = { id, section, source, sentence, level };
  try {
    context.found.demand(check.needs);
    await check.run(context);
    return { ...told, status: 'passed' };
  } catch (error) {
    if (error instanceof NotApplicable) return { ...told, status: 'not_applicable', reason: error.message };
    if (!(error instanceof Unmet)) throw error;
    if (level === 'may') {
      const reason = `${answerInShort(error.exchange)}: the specification allows it`;
      return { ...told, status: 'not_applicable', reason: context.service.credentials.redact(reason) };
    }
    const redact = (text: string): string => context.service.credentials.redact(text);
    const curl = redact(curlOf(error.exchange.ask, context.service));
    return { ...told, status: 'failed', failure: { curl, expected: redact(error.expected), came: redact(error.came) } };
  }
}

function chosen(checks: readonly Check[], { only = [], skip = [] }: Options): Check[] {
  const asked = checks.filter((check) => only.length === 0 || only.some((one) => isNamed(check, one)));
  if (asked.length === 0) throw new CannotJudge(`There is no check ${only.join(', ')} in this profile.`);
  return asked.filter((check) => !skip.some((one) => isNamed(check, one)));
}

function isNamed({ id, section }: Check, name: string): boolean {
  return section === name || section === `§${name}` || id === name || id.startsWith(`${name}.`);
}

/** By section, and within it in the order of the profile. */
function bySection(one: Result, other: Result): number {
  return Number(one.section.slice(1)) - Number(other.section.slice(1));
}

/** Words of a run: no other run has the same, unless it is given the same seed. */
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

function sleepFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new CannotJudge('Interrupted.'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
