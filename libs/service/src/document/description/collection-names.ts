export interface CollectionNames {
  readonly schema: string;
  readonly plural: string;
  readonly tag: string;
}

export function collectionNames(name: string, singular: string): CollectionNames {
  const spelling = new Map(singular.split(' ').map((word) => [word.toLowerCase(), word]));
  const words = name.split('_').map((word) => spelling.get(word) ?? word);
  return { schema: pascal(singular.split(' ')), plural: pascal(words), tag: capitalised(words.join(' ')) };
}

export function withArticle(words: string): string {
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`;
}

export function pascal(words: readonly string[]): string {
  return words.map((word) => capitalised(word.toLowerCase())).join('');
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
