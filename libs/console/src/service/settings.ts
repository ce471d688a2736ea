const read = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
const baseUrl = (read('items-base-url') ?? location.origin).replace(/\/$/, '');

/** Settings that the service writes into the page. */
export const settings = {
  baseUrl,
  /** Path of the console, including the path of `BASE_URL`. */
  base: `${new URL(baseUrl).pathname.replace(/\/$/, '')}/console`,
  title: document.title,
  color: read('theme-color'),
};
