/** Settings that the service writes into the page. */
export interface PageSettings {
  /** `BASE_URL` without a final slash. */
  readonly baseUrl: string;
  /** Path of the console, with the path of `BASE_URL`. */
  readonly base: string;
  readonly title: string;
  readonly color: string | undefined;
}

export function readSettings(document: Document): PageSettings {
  const read = (name: string): string | undefined =>
    document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  const baseUrl = (read('items-base-url') ?? location.origin).replace(/\/$/, '');
  return {
    baseUrl,
    base: `${new URL(baseUrl).pathname.replace(/\/$/, '')}/console`,
    title: document.title,
    color: read('theme-color'),
  };
}
