import { validate } from '@items/fields';

import { CreateSessionDto } from './session.dto.js';

describe('a login (SPEC §5)', () => {
  it('is a username and a password, and perhaps a scope', () => {
    const login = { username: 'mary', password: ' with blanks ' };
    expect(validate(CreateSessionDto, login)).toEqual({ ...login, scope: null });
    expect(validate(CreateSessionDto, { ...login, scope: 'items:read' })).toEqual({ ...login, scope: 'items:read' });
  });

  it.each([
    { username: 'mary' },
    { password: 'x' },
    { username: 'mary', password: '' },
    { username: 7, password: 'x' },
  ])('%j is refused', (login) => {
    expect(() => validate(CreateSessionDto, login)).toThrow();
  });
});
