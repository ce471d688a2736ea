import { parseFields } from './fields.js';
import { collectionNames } from './names.js';
import { SQL_WORDS } from './sql-words.js';

/** Names of existing files in apps/api/src, and of existing paths of the service. */
const TAKEN = [
  'accounts',
  'docs',
  'health',
  'migrations',
  'settings',
  'grants',
  'sessions',
  'transitions',
  'collections',
];

/**
 * The complete description of a collection to generate.
 * @typedef {object} Plan
 * @property {import('./names.js').CollectionNames} names
 * @property {import('./fields.js').Field[]} fields
 * @property {boolean} owned whether each member belongs to a user.
 * @property {boolean} events whether its changes create events.
 * @property {string} command that generates the same collection.
 */

/**
 * @typedef {object} CollectionOptions as the command line gives them.
 * @property {string} name
 * @property {readonly string[]} [field]
 * @property {string} [singular]
 * @property {string} [parent]
 * @property {boolean} [events] default: true.
 */

/**
 * @param {CollectionOptions} options
 * @returns {Plan}
 * @throws {Error} with a sentence that explains the mistake.
 */
export function planCollection({ name, field = [], singular, parent, events = true }) {
  const names = collectionNames(name, singular);
  if (TAKEN.includes(name) || SQL_WORDS.has(names.table)) {
    throw new Error(`A collection cannot be called "${name}": that name means something else here.`);
  }
  if (parent !== undefined && parent !== 'users') {
    throw new Error(
      `A collection may be nested below users, with --parent users; not below "${parent}": for another parent write a controller of your own (libs/service/README.md).`,
    );
  }
  if (events && /\d/.test(names.subject)) {
    throw new Error(
      `The kinds of events have no digits, and these would be called "${names.subject}.created": say what one member is called with --singular, or give --no-events.`,
    );
  }
  const parts = [
    ...(singular === undefined ? [] : [`--singular ${singular}`]),
    ...field.map((notation) => `--field '${notation}'`),
    ...(parent === undefined ? [] : [`--parent ${parent}`]),
    events ? '--events' : '--no-events',
  ];
  const command = `npx nx g @items/tools:collection ${[name, ...parts].join(' ')}`;
  return { names, fields: parseFields(field), owned: parent === 'users', events, command };
}

/**
 * Parses the options of a command that {@link planCollection} has written into a file.
 * @param {string} text of the file.
 * @returns {CollectionOptions | undefined}
 */
export function optionsIn(text) {
  const [, name, rest = ''] = /npx nx g @items\/tools:collection ([a-z0-9-]+)([^\n`]*)/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const [, singular] = / --singular ([a-z0-9-]+)/.exec(rest) ?? [];
  const [, parent] = / --parent ([a-z-]+)/.exec(rest) ?? [];
  const field = [...rest.matchAll(/ --field '([^']+)'/g)].map(([, notation = '']) => notation);
  const events = !rest.includes(' --no-events');
  return { name, field, events, ...(singular !== undefined && { singular }), ...(parent !== undefined && { parent }) };
}
