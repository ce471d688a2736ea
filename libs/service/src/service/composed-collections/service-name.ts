const FALLBACK = 'service';
/** Cookies and `application_name` of PostgreSQL contain the name. */
const MAX_LENGTH = 40;

/** Lower case, digits and `_`. @param text title of the document, or name of the first collection. */
export function serviceNameOf(text = FALLBACK): string {
  const words = text.toLowerCase().match(/[a-z\d]+/g) ?? [FALLBACK];
  const name = words.join('_').slice(0, MAX_LENGTH);
  return /^[a-z]/.test(name) ? name : `${FALLBACK}_${name}`;
}
