const SHORT = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const WITH_YEAR = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A time as short as it can be: the year only if it is another one. */
export function shortTime(time: string, now = new Date()): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return (date.getFullYear() === now.getFullYear() ? SHORT : WITH_YEAR).format(date);
}

/** An amount with its currency, if the document names one. */
export function amountText(amount: number, currency: string | undefined): string {
  return currency === undefined ? amount.toFixed(2) : amount.toLocaleString(undefined, { style: 'currency', currency });
}

/** A time for an input of the browser, in local time. Seconds and their fractions stay if there are any. */
export function localTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
  return local.replace(/:00\.000$/, '').replace(/\.000$/, '');
}

/** @returns the UTC time of a local one; the text itself if it is no time. */
export function utcTime(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}

/** The beginning or the end of a local day, as UTC. */
export function utcDay(day: string, isEnd: boolean): string {
  return utcTime(`${day}T${isEnd ? '23:59:59.999' : '00:00:00.000'}`);
}
