import { Integer, Optional, Sortable, Text } from '@items/fields';
import { onBothDatabases } from '@items/testing';

import { Database } from '../../data/database/database.js';
import { Permissions } from '../../access/principal/permissions.js';
import { collection, startService } from '../../index.js';
import { StartedServices } from '../started-services.testing.js';
import { type NamedCollection, requireSoundNames } from './collection-names.js';

class NoteInput {
  @Sortable() @Text({ max: 100 }) text!: string;
}
const SETTINGS = { DATABASE_URL: 'sqlite::memory:', PORT: '0', LOG_LEVEL: 'fatal' };

const named = (name: string, singular = 'note', input: new () => object = NoteInput) =>
  collection({ name, singular, input, events: true });
const sentence = (...collections: readonly NamedCollection[]): string => {
  try {
    requireSoundNames(collections);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
};

/** Returns the error of a start, or undefined if the service starts. */
async function failureOf(collections: readonly ReturnType<typeof named>[]): Promise<Error | undefined> {
  try {
    await (await startService({ collections, settings: SETTINGS, signals: false })).stop();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

describe('Names of collections (service.md, section 3)', () => {
  it.each(['notes', 'n', 'order_notes', 'notes2', `n${'o'.repeat(49)}`, 'audits', 'key', 'eventful', 'order'])(
    '%s is accepted',
    (name) => {
      expect(sentence(named(name))).toBe('accepted');
    },
  );

  it.each(['Notes', '2notes', '_notes', 'no-tes', 'no tes', 'nötes', '', `n${'o'.repeat(50)}`, 'notes"', 'notes;'])(
    '%j is no name',
    (name) => {
      expect(sentence(named(name))).toBe(
        `A collection cannot be named "${name}": names match [a-z][a-z0-9_]* and have at most 50 characters.`,
      );
    },
  );

  it.each([
    'users',
    'events',
    'docs',
    'audit',
    'keys',
    'api_keys',
    'grants',
    'events_rest',
    'sqlite_notes',
    'pg_notes',
    'stamp',
    'write0',
  ])('%s belongs to the service or its databases', (name) => {
    expect(sentence(named(name))).toBe(
      `A collection cannot be named "${name}": the service itself has a table, a path or a scope of this name.`,
    );
  });

  it('notes_versions would be the table of replaced notes', () => {
    expect(sentence(named('notes_versions'))).toContain('"notes_versions": tables whose names end in _versions');
  });

  it('two collections of one name are refused', () => {
    expect(sentence(named('notes'), named('notes', 'other'))).toBe('Two collections are named "notes".');
  });
});

describe('Singulars of collections', () => {
  it.each(['note', 'Note', 'order note', 'order_note', 'item 2', 'delivery'])('%s is accepted', (singular) => {
    expect(sentence(named('notes', singular))).toBe('accepted');
  });

  it.each(['user', 'User', 'api_key', 'API key', 'client', 'session', 'grant', 'webhook'])(
    '%s is one of the service',
    (singular) => {
      expect(sentence(named('notes', singular))).toBe(
        `The singular of the collection "notes" cannot be "${singular}": the service itself has objects of this kind.`,
      );
    },
  );

  it.each(['', ' note', 'note ', 'order  note', 'no.te', 'note*', 'nöte', 'n'.repeat(51)])(
    '%j is no word',
    (singular) => {
      expect(sentence(named('notes', singular))).toContain('it must be words of letters and digits');
    },
  );

  it.each([
    ['note', 'note'],
    ['order note', 'order_note'],
    ['Note', 'note'],
  ])('%j and %j would be one kind of events', (one, other) => {
    expect(sentence(named('notes', one), named('marks', other))).toBe(
      `The collections "notes" and "marks" have the same singular, "${other}": events could not tell them apart.`,
    );
  });
});

describe('Names of fields', () => {
  const withField = (name: string): string => {
    class Input {
      @Sortable() @Optional() @Integer({ min: 0, max: 9 }) year!: number | null;
      @Sortable() @Text({ max: 9 }) title!: string;
    }
    Text({ max: 9 })(Input.prototype, name);
    return sentence(named('notes', 'note', Input));
  };

  it.each(['text', 'year_prefix', 'title_min', 'user_id', 'sorted'])('%s is accepted', (name) => {
    expect(withField(name)).toBe('accepted');
  });

  it.each([
    ['Text', 'names match [a-z][a-z0-9_]* and have at most 50 characters'],
    ['te-xt', 'names match [a-z][a-z0-9_]* and have at most 50 characters'],
    ['id', 'the service itself has a column of this name'],
    ['created_at', 'the service itself has a column of this name'],
    ['seq', 'the service itself has a column of this name'],
    ['xmin', 'the service itself has a column of this name'],
    ['sort', 'lists have a query parameter of this name'],
    ['per_page', 'lists have a query parameter of this name'],
    ['year_min', 'lists are narrowed to a range of "year" by this parameter'],
    ['title_prefix', 'lists are narrowed to a range of "title" by this parameter'],
    ['updated_at_max', 'lists are narrowed to a range of "updated_at" by this parameter'],
  ])('%s is refused', (name, problem) => {
    expect(withField(name)).toBe(`A field of the collection "notes" cannot be named "${name}": ${problem}.`);
  });

  it('user_id is the column of the parent', () => {
    class Input {
      @Text({ max: 9 }) user_id!: string;
    }
    expect(sentence(collection({ name: 'notes', singular: 'note', input: Input, parent: 'users' }))).toContain(
      '"user_id": the service itself has a column of this name',
    );
  });
});

onBothDatabases(
  'A service whose collections have such names',
  (config) => Promise.resolve(new StartedServices(config)),
  (under) => {
    it('a reserved name stops the start with one sentence, without a stack', async () => {
      const message =
        'A collection cannot be named "audit": the service itself has a table, a path or a scope of this name.';
      expect(await failureOf([named('audit')])).toMatchObject({ message, stack: `CollectionNameError: ${message}` });
      const { message: other } = (await failureOf([named('notes', 'user')])) ?? {};
      expect(other).toContain('cannot be "user": the service itself has objects of this kind');
    });

    it('has no table, path or scope that a collection could be named after', async () => {
      const { app, admin } = await under.database.start({ collections: [] });
      const database = app.get(Database);
      const tables =
        database.dialect === 'sqlite'
          ? "SELECT name FROM sqlite_master WHERE type = 'table'"
          : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'";
      const { paths } = (await admin.get('/openapi.json')).json() as { paths: object };
      const parts = Object.keys(paths).map((path) => path.split('/'));
      const below = parts.flatMap(([, first, , below]) => (first === 'users' && below !== undefined ? [below] : []));
      const names = [
        ...(await database.query<{ name: string }>(tables)).map(({ name }) => name),
        ...parts.map(([, first = '']) => first),
        ...below,
        ...new Permissions([]).scopes.map((scope) => scope.split(':')[0] ?? ''),
      ].map((name) => name.replaceAll('-', '_'));
      expect(names).toEqual(expect.arrayContaining(['users', 'grants', 'audit', 'webhook_states', 'oauth']));
      expect([...new Set(names)].filter((name) => sentence(named(name)) === 'accepted')).toEqual([]);
    });
  },
);
