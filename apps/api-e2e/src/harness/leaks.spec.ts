import { leaksIn } from './leaks.js';

const SECRET = 'correct: hörse "battery"';
const secrets = new Map([['a password', SECRET]]);

describe('A secret is found', () => {
  it.each([
    ['as it is', `{"a":${SECRET}}`],
    ['in JSON', JSON.stringify({ password: SECRET })],
    ['in a URL', `/items?password=${encodeURIComponent(SECRET)}`],
    ['in a form', new URLSearchParams({ password: SECRET }).toString()],
    ['in hex', Buffer.from(SECRET).toString('hex')],
    ['in base64, alone', Buffer.from(SECRET).toString('base64')],
    ['in base64, behind a username', Buffer.from(`mary:${SECRET}`).toString('base64')],
    ['in base64, behind a longer one', Buffer.from(`marys:${SECRET}`).toString('base64')],
    ['in base64url, between others', Buffer.from(`mary.:${SECRET}.`).toString('base64url')],
  ])('%s', (_how, line) => {
    expect(leaksIn(['first', line], secrets)).not.toEqual([]);
  });

  it('the report names the secret and does not contain its value', () => {
    expect(leaksIn(['first', `second ${SECRET}`], secrets)).toContainEqual({
      secret: 'a password',
      form: 'plain',
      line: 'second ',
    });
    expect(leaksIn([SECRET.slice(1)], secrets)).toEqual([]);
  });
});
