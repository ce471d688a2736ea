const KEBAB_CASE = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/;
/** Maximum length of a name, as in `@items/service`. */
const LONGEST = 50;

/** Last words with an irregular singular. */
const IRREGULAR = new Map(
  Object.entries({
    children: 'child',
    feet: 'foot',
    geese: 'goose',
    men: 'man',
    mice: 'mouse',
    people: 'person',
    teeth: 'tooth',
    women: 'woman',
    knives: 'knife',
    leaves: 'leaf',
    lives: 'life',
    shelves: 'shelf',
    statuses: 'status',
    buses: 'bus',
    movies: 'movie',
  }),
);

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/(ss|x|zz|ch|sh)es$/, '$1'],
  [/([^s])s$/, '$1'],
];

export interface CollectionNames {
  /** `order-notes`, for file, path and scopes. */
  plural: string;
  singular: string;
  /** `order_notes`, also the name of the array in a response. */
  table: string;
  /** `order_note`, the first word of the event types. */
  subject: string;
  words: string;
  pluralWords: string;
  type: string;
  variables: string;
}

/**
 * @param given the singular, if it is irregular.
 * @throws {Error} The message describes valid names.
 */
export function collectionNames(plural: string, given?: string): CollectionNames {
  requireKebabCase(plural, 'The name of a collection');
  const singular = given ?? singularOf(plural);
  requireKebabCase(singular, 'The singular');
  if (singular === plural) {
    throw new Error(`One of "${plural}" must have another name than all of them: say it with --singular.`);
  }
  return {
    plural,
    singular,
    table: plural.replaceAll('-', '_'),
    subject: singular.replaceAll('-', '_'),
    words: singular.replaceAll('-', ' '),
    pluralWords: plural.replaceAll('-', ' '),
    type: pascal(singular),
    variables: uncapitalised(pascal(plural)),
  };
}

function singularOf(plural: string): string {
  const words = plural.split('-');
  const last = words.pop() ?? '';
  const singular = IRREGULAR.get(last) ?? byEnding(last);
  if (singular === undefined) {
    throw new Error(
      `"${plural}" does not look like a plural: a collection is named in the plural, such as "widgets". ` +
        'If it is one, say what one member is called with --singular.',
    );
  }
  return [...words, singular].join('-');
}

function byEnding(word: string) {
  const rule = ENDINGS.find(([ending]) => ending.test(word));
  return rule && word.replace(...rule);
}

function requireKebabCase(name: string, what: string) {
  if (!KEBAB_CASE.test(name)) {
    throw new Error(`${what} is written in kebab-case, such as "widgets" or "order-notes", not "${name}".`);
  }
  if (name.length > LONGEST)
    throw new Error(`${what} has at most ${LONGEST} characters; "${name}" has ${name.length}.`);
}

function uncapitalised(name: string) {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function pascal(kebab: string) {
  return kebab
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
