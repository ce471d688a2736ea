const SHORT = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const WITH_YEAR = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Formats a time: without the year in the current year, otherwise without the time of day. */
export function shortTime(time: string, now = new Date()): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return (date.getFullYear() === now.getFullYear() ? SHORT : WITH_YEAR).format(date);
}

/** Formats an amount, with the currency if the document has one. */
export function amountText(amount: number, currency: string | undefined): string {
  return currency === undefined ? amount.toFixed(2) : amount.toLocaleString(undefined, { style: 'currency', currency });
}

/** Converts a time to local time for a `datetime-local` input. Omits seconds if they are zero. */
export function localTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
  return local.replace(/:00\.000$/, '').replace(/\.000$/, '');
}

/** Converts a local time to UTC. Returns any other text unchanged. */
export function utcTime(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}

/** Returns the start or the end of a local day, in UTC. */
export function utcDay(day: string, isEnd: boolean): string {
  return utcTime(`${day}T${isEnd ? '23:59:59.999' : '00:00:00.000'}`);
}
