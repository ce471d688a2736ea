import { lowerCaseUuid } from './uuid.js';

const ID = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';

describe('lowerCaseUuid', () => {
  it.each([ID.toUpperCase(), ID, '019A9f3e-5c7A-7D31-8b52-0E6a4f1c9d27'])('lower-cases %s', (text) => {
    expect(lowerCaseUuid(text)).toBe(ID);
  });

  it.each(['', 'Admin', `{${ID.toUpperCase()}}`, ID.toUpperCase().replaceAll('-', ''), ` ${ID.toUpperCase()}`])(
    'returns %j unchanged',
    (text) => {
      expect(lowerCaseUuid(text)).toBe(text);
    },
  );
});
