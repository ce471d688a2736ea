import { logTo } from './log.js';
import { NestLog } from './nest-log.js';

describe('A message of Nest', () => {
  let text: string;
  let log: NestLog;
  beforeEach(() => {
    text = '';
    log = new NestLog(logTo({ write: (line: string) => (text += line) }));
  });

  it('becomes a line of our log, with its stack', () => {
    log.error(new Error('Something broke.'), undefined, 'SomeService');
    expect(JSON.parse(text)).toMatchObject({ level: 'error', err: { message: 'Something broke.' } });
  });

  it('has no credential of headers that were passed', () => {
    const headers = { Authorization: 'Bearer secret', 'x-api-key': 'secret', 'x-sso-token': 'secret', accept: '*/*' };
    new NestLog(logTo({ write: (line: string) => (text += line) }), ['X-SSO-Token']).error(
      'Refused',
      { headers },
      'Own',
    );
    expect(text).not.toContain('secret');
    expect(JSON.parse(text)).toMatchObject({
      details: [{ headers: { 'x-sso-token': '[redacted]', accept: '*/*' } }, 'Own'],
    });
  });

  it('is not logged if it ends the start, which prints it', () => {
    log.error(new Error('Nest cannot resolve something.'), undefined, 'ExceptionHandler');
    expect(text).toBe('');
  });
});
