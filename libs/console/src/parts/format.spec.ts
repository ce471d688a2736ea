import { amountText, localTime, shortTime, utcDay, utcTime } from './format.js';

it('a time that is converted to local time and back is unchanged', () => {
  for (const time of ['2026-11-20T09:30:00.000Z', '2026-11-20T09:30:01.250Z'])
    expect(utcTime(localTime(time))).toBe(time);
  expect(localTime('2026-11-20T09:30:00.000Z')).toMatch(/^2026-11-\d\dT\d\d:\d\d$/);
});

it('a text that is not a time is unchanged', () => {
  expect([utcTime('soon'), localTime('soon'), shortTime('soon')]).toEqual(['soon', 'soon', 'soon']);
});

it('a day begins and ends by the clock of the user', () => {
  const [begin, end] = [utcDay('2026-07-01', false), utcDay('2026-07-01', true)];
  expect(Date.parse(end) - Date.parse(begin)).toBe(86_400_000 - 1);
  expect(new Date(begin).getHours()).toBe(0);
});

it('amounts have the currency of the document', () => {
  expect(amountText(1234.5, 'USD')).toBe('$1,234.50');
  expect(amountText(1234.5, undefined)).toBe('1234.50');
});

it('a time shows its year only if it is not the current year', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  expect(shortTime('2026-03-01T12:00:00Z', now)).not.toContain('2026');
  expect(shortTime('2015-03-01T12:00:00Z', now)).toContain('2015');
});
