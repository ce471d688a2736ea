import { startApp, type Answer, type HttpClient, type RunningApp } from '@items/testing';

import { anonymous } from '../harness/clients.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';
import { createUser, PASSWORD, withBasic } from '../harness/users.js';

describeStarted('§8 Password guessing: 10 failures per account and address in 15 minutes', () => {
  let app: RunningApp;
  let client: HttpClient;
  let admin: HttpClient;

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest(), env: { TRUST_PROXY: '127.0.0.1' } });
    client = anonymous.withOptions({ baseUrl: app.baseUrl });
    admin = client.withHeaders(['X-API-Key', app.adminKey]);
  });
  afterAll(() => app.stop());

  let addresses = 0;
  const elsewhere = (): HttpClient => client.withHeaders(['X-Forwarded-For', `198.51.100.${String((addresses += 1))}`]);
  const guess = async (username: string, times: number, from: HttpClient): Promise<Answer[]> => {
    const answers = [];
    for (let n = 0; n < times; n += 1)
      answers.push(await withBasic(username, `wrong ${String(n)}`, from).get('/items'));
    return answers;
  };
  const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

  it('the next attempt is 429 with Retry-After, also with the right password', async () => {
    const { username } = await createUser({}, admin);
    const from = elsewhere();
    expect(statuses(await guess(username, 12, from))).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const refused = await withBasic(username, undefined, from).get('/items');
    expect(errorOf(refused, 429).code).toBe('too_many_failures');
    const seconds = Number(refused.header('retry-after'));
    expect(seconds).toBeGreaterThan(800);
    expect(seconds).toBeLessThanOrEqual(900);
    expect(refused.header('x-ratelimit-reset')).toBe(String(seconds));
  });

  it('a success resets it, whether the password was verified just before or not', async () => {
    const { username } = await createUser({}, admin);
    const from = elsewhere();
    for (let round = 0; round < 3; round += 1) {
      expect(statuses(await guess(username, 9, from))).toEqual(Array<number>(9).fill(401));
      expectStatus(await withBasic(username, undefined, from).get('/items'), 200);
    }
  });

  it('the account is not locked out at another address, and no other account at this address', async () => {
    const [victim, other] = [await createUser({}, admin), await createUser({}, admin)];
    const from = elsewhere();
    expect(statuses(await guess(victim.username, 11, from)).at(-1)).toBe(429);
    expectStatus(await withBasic(victim.username, undefined, elsewhere()).get('/items'), 200);
    expectStatus(await withBasic(other.username, undefined, from).get('/items'), 200);
  });

  it('an unknown account is throttled like any other', async () => {
    expect(statuses(await guess('there.is.no.such', 11, elsewhere())).at(-1)).toBe(429);
  });

  it('10 of 40 concurrent guesses are verified', async () => {
    const { username } = await createUser({}, admin);
    const from = elsewhere();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => withBasic(username, `guess ${String(n)}`, from).get('/items')),
    );
    expect(statuses(answers).filter((status) => status === 401)).toHaveLength(10);
    expect(statuses(answers).filter((status) => status === 429)).toHaveLength(30);
  });

  it('concurrent requests with the right password all succeed', async () => {
    const { username } = await createUser({}, admin);
    const right = withBasic(username, undefined, elsewhere());
    const answers = await Promise.all(Array.from({ length: 30 }, () => right.get('/items')));
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
  });

  it('a password that was in use before is locked out like any other, and still works from another address', async () => {
    const { username } = await createUser({}, admin);
    const [from, away] = [elsewhere(), elsewhere()];
    for (const place of [from, away]) expectStatus(await withBasic(username, undefined, place).get('/items'), 200);
    expect(statuses(await guess(username, 11, from)).at(-1)).toBe(429);
    expectStatus(await withBasic(username, undefined, from).get('/items'), 429);
    expectStatus(await from.post('/sessions', { username, password: PASSWORD }), 429);
    expectStatus(await withBasic(username, undefined, away).get('/items'), 200);
  });

  it('guesses of current_password are limited, too', async () => {
    const { username } = await createUser({}, admin);
    const own = withBasic(username, undefined, elsewhere());
    const codes = [];
    for (let n = 0; n < 11; n += 1) {
      const change = { current_password: `wrong ${String(n)}`, password: 'a new password' };
      codes.push((await own.put('/users/me/password', change)).status);
    }
    expect(codes).toEqual([...Array<number>(10).fill(422), 429]);
  });
});
