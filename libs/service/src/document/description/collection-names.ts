/** Names of a collection's parts in the document. */
export interface CollectionNames {
  /** Schema of one member: `ApiKey`. */
  readonly schema: string;
  /** In operation ids: `ApiKeys`. */
  readonly plural: string;
  /** Tag: `API keys`. */
  readonly tag: string;
}

/**
 * @param name of the table: `api_keys`.
 * @param singular `API key`.
 */
export function collectionNames(name: string, singular: string): CollectionNames {
  const spelling = new Map(singular.split(' ').map((word) => [word.toLowerCase(), word]));
  const words = name.split('_').map((word) => spelling.get(word) ?? word);
  return { schema: pascal(singular.split(' ')), plural: pascal(words), tag: capitalised(words.join(' ')) };
}

/** `a word` or `an word`, by its first letter. */
export function withArticle(words: string): string {
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`;
}

/** `['API', 'key']` → `ApiKey`. */
export function pascal(words: readonly string[]): string {
  return words.map((word) => capitalised(word.toLowerCase())).join('');
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
