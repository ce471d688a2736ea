import { lowerCaseIds } from './request-head.js';

const ID = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';
const UPPER = ID.toUpperCase();

describe('lowerCaseIds', () => {
  it.each([
    `/users/${UPPER}/orders/${UPPER}`,
    `/users/${UPPER.replaceAll('-', '%2D')}/orders/${ID}`,
    `/users/%30${ID.slice(1)}/orders/019A9f3e${ID.slice(8)}`,
  ])('returns one path for %s', (target) => {
    expect(lowerCaseIds(target)).toBe(`/users/${ID}/orders/${ID}`);
    expect(lowerCaseIds(`${target}?color=${UPPER}`)).toBe(`/users/${ID}/orders/${ID}?color=${UPPER}`);
  });

  it.each([
    '/items',
    '/',
    '',
    `/items?object_id=${UPPER}`,
    `/Items/${UPPER}0`,
    `/items/%7B${UPPER}%7D`,
    `/items/${UPPER}%2Fa`,
    '/items/%zz-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    `/items/%E0%A4%A${UPPER}`,
    `/docs/ABCDEFGH-ABCD-ABCD-ABCD-ABCDEFABCDEF`,
  ])('leaves %s as it is', (target) => {
    expect(lowerCaseIds(target)).toBe(target);
  });
});
