import { startApp, type HttpClient, type RunningApp, isLongForm } from '@items/testing';

import { unobserved } from '../harness/clients.js';
import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';
import { createUser, withBasic } from '../harness/users.js';

const TRIES = isLongForm ? 200 : 50;
/** Tolerated deviation from one half, for the probability that one kind responds faster than the other. */
const TOLERANCE = isLongForm ? 0.05 : 0.1;
/** Maximum number of rounds. One round in ten exceeds the tolerance by chance; with a leak, every round does. */
const ROUNDS = 4;
/** After this number of failures, the service refuses an address and account without a check. */
const FAILURES = 10;

type Kind = 'unknown user' | 'wrong password' | 'disabled user';

describeStarted('SPEC §5.1: the same response in the same time', () => {
  let app: RunningApp;
  let client: HttpClient;
  let usernames: Readonly<Record<Kind, string>>;
  let addresses = 0;

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest(), env: { TRUST_PROXY: '127.0.0.1' } });
    client = unobserved.withOptions({ baseUrl: app.baseUrl });
    const admin = client.withHeaders(['X-API-Key', app.adminKey]);
    usernames = {
      'unknown user': 'user-0000-0000000000000-000',
      'wrong password': (await createUser({}, admin)).username,
      'disabled user': (await createUser({ disabled: true }, admin)).username,
    };
    await sample(1);
  });
  afterAll(() => app.stop());

  it('the time of a response does not distinguish an unknown user, a wrong password and a disabled user', async () => {
    for (let round = 1; ; round += 1) {
      const [unknown, wrong, disabled] = await sample(TRIES);
      const chances = [earlier(unknown, wrong), earlier(disabled, wrong), earlier(unknown, disabled)];
      if (chances.every((chance) => Math.abs(chance - 0.5) < TOLERANCE)) return;
      if (round === ROUNDS) throw new Error(`P(A<B) is ${chances.map((chance) => chance.toFixed(3)).join(', ')}`);
    }
  }, 300_000);

  /** Durations in milliseconds; the kinds alternate, so that a busy machine slows down both. */
  async function sample(tries: number): Promise<[number[], number[], number[]]> {
    const durations: Record<Kind, number[]> = { 'unknown user': [], 'wrong password': [], 'disabled user': [] };
    const kinds = Object.keys(durations) as Kind[];
    for (let n = 0; n < tries; n += 1) {
      if (n % FAILURES === 0) addresses += 1;
      const address = `203.0.${String(addresses >> 8)}.${String(addresses & 255)}`;
      for (const kind of [...kinds.slice(n % 3), ...kinds.slice(0, n % 3)]) {
        const password = kind === 'disabled user' ? undefined : `wrong password ${String(n)}`;
        const guess = withBasic(usernames[kind], password, client.withHeaders(['X-Forwarded-For', address]));
        const start = performance.now();
        const answer = await guess.get('/items');
        durations[kind].push(performance.now() - start);
        expectStatus(answer, 401);
      }
    }
    return [durations['unknown user'], durations['wrong password'], durations['disabled user']];
  }
});

/** Probability that an element of `a` is less than one of `b`. */
function earlier(a: readonly number[], b: readonly number[]): number {
  const wins = a.flatMap((x) => b.map((y): number => (x < y ? 1 : x === y ? 0.5 : 0)));
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
}
