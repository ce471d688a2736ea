import { isLongPoll, showsPages, speaksOauth } from './path-prefixes.js';

describe('A request target', () => {
  it.each([
    ['/oauth/token', 'an OAuth error', true, false],
    ['/oauth/authorize?client_id=x', 'a page', true, true],
    ['/oauth/authorize/some-uid', 'a page', true, true],
    ['/oauth/authorized', 'an OAuth error', true, false],
    ['/oauth/login/callback', 'a page', true, true],
    ['/oauthx/authorize', 'the common error', false, false],
    ['/items?x=/oauth/authorize', 'the common error', false, false],
  ])('%s gets %s', (target, _form, oauth, page) => {
    expect([speaksOauth(target), showsPages(target)]).toEqual([oauth, page]);
  });

  it.each([
    ['/events?wait=20', true],
    ['/events?type=item.created&wait=0', true],
    ['/events?await=20', false],
    ['/events?type=wait=1', false],
    ['/events', false],
    ['/events/wait=1', false],
    ['/items?wait=20', false],
  ])('%s is a long poll: %s', (target, expected) => {
    expect(isLongPoll(target)).toBe(expected);
  });
});
