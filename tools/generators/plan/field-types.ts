/** Arguments of a field type: the value in parentheses, and the modifier `:keep`. */
export interface Argument {
  /** Maximum length: 50 in `string(50)`. */
  max?: number;
  range?: readonly [string, string];
  words?: readonly string[];
  /**
   * Name of the referenced collection: `order-notes` in `reference(order-notes)`. For {@link FieldType.decorator},
   * it is TypeScript code: the collection's variable, or `() => variable` for a reference to itself.
   */
  collection?: string;
  keep?: boolean;
}

export interface FieldType {
  /** Type in TypeScript. */
  shown: string;
  decorator: (argument: Argument) => string;
  /** The kind of argument in parentheses after the type. */
  argumentKind?: 'length' | 'range' | 'words' | 'collection';
  requiresArgument?: boolean;
  sortable?: boolean;
  /** With `:filter`, lists can be filtered by the field. */
  canFilter?: boolean;
  /** Lists can be filtered by the field even without `:filter`. */
  alwaysFiltered?: boolean;
  /** Type of the default value; undefined if no default is possible. */
  fallback?: 'string' | 'number' | 'boolean';
  canBeInKey?: boolean;
  /** True if the field alone can be a unique key: its type has enough values. */
  canBeKeyAlone?: boolean;
  /** Default maximum length of a text, if the notation has no parentheses. */
  length?: number;
}

export const FIELD_TYPES: Readonly<Record<string, FieldType>> = {
  string: {
    shown: 'string',
    decorator: ({ max = 200 }) => `Text({ min: 1, max: ${max}, trim: true, example: '${'Some words'.slice(0, max)}' })`,
    argumentKind: 'length',
    length: 200,
    sortable: true,
    canFilter: true,
    fallback: 'string',
    canBeInKey: true,
    canBeKeyAlone: true,
  },
  text: {
    shown: 'string',
    decorator: ({ max = 2000 }) => `Text({ max: ${max}, example: '${'Some sentences.'.slice(0, max)}' })`,
    argumentKind: 'length',
    length: 2000,
    fallback: 'string',
    canBeKeyAlone: true,
  },
  integer: {
    shown: 'number',
    decorator: ({ range: [min, max] = ['Number.MIN_SAFE_INTEGER', 'Number.MAX_SAFE_INTEGER'] }) =>
      `Integer({ min: ${min}, max: ${max}${max.startsWith('Number') ? ', example: 3' : ''} })`,
    argumentKind: 'range',
    sortable: true,
    fallback: 'number',
    canBeInKey: true,
    canBeKeyAlone: true,
  },
  number: {
    shown: 'number',
    decorator: ({ range: [min, max] = ['-1e15', '1e15'] }) =>
      `Float({ min: ${min}, max: ${max}${max === '1e15' ? ', example: 1.5' : ''} })`,
    argumentKind: 'range',
    sortable: true,
    fallback: 'number',
    canBeInKey: true,
    canBeKeyAlone: true,
  },
  money: {
    shown: 'number',
    decorator: () =>
      `Money({ description: "In the service's currency, with at most 2 decimals; stored exactly.", example: 12.5 })`,
    sortable: true,
    fallback: 'number',
    canBeInKey: true,
    canBeKeyAlone: true,
  },
  boolean: {
    shown: 'boolean',
    decorator: () => 'Flag({ example: true })',
    canFilter: true,
    alwaysFiltered: true,
    fallback: 'boolean',
    canBeInKey: true,
  },
  'date-time': {
    shown: 'string',
    decorator: () =>
      `DateTime({ description: 'RFC 3339; shown in UTC, with milliseconds.', example: '2026-11-20T09:30:00.000Z' })`,
    sortable: true,
    canBeInKey: true,
    canBeKeyAlone: true,
  },
  choice: {
    shown: 'string',
    decorator: ({ words = [] }) => `Choice([${quoted(words)}])`,
    argumentKind: 'words',
    requiresArgument: true,
    canFilter: true,
    alwaysFiltered: true,
    fallback: 'string',
    canBeInKey: true,
  },
  choices: {
    shown: 'string[]',
    decorator: ({ words = [] }) => `Choices([${quoted(words)}])`,
    argumentKind: 'words',
    requiresArgument: true,
  },
  texts: {
    shown: 'string[]',
    decorator: () =>
      `Texts({ maxItems: 20, max: 50, each: { matches: /\\S/, expected: 'texts with a visible character' }, example: ['words'] })`,
  },
  reference: {
    shown: 'string',
    decorator: ({ collection, keep }) => `Reference(${collection}${keep ? `, { onDelete: 'keep' }` : ''})`,
    argumentKind: 'collection',
    requiresArgument: true,
    canFilter: true,
    alwaysFiltered: true,
    canBeInKey: true,
  },
  uuid: {
    shown: 'string',
    decorator: () => 'RowId()',
    canBeInKey: true,
  },
};

function quoted(words: readonly string[]) {
  return words.map((word) => `'${word}'`).join(', ');
}
