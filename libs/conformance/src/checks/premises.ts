import { type Check } from '../check.js';

/*
 * A premise is a check that others depend on. If a premise fails, the others are skipped, so that one fault causes only
 * one or two findings. For the same reason, checks of one sentence for several methods or paging styles depend on each
 * other.
 */

/** Every check that creates an item depends on these checks. */
const roots = ['1.self-contained.no-cookie', '2.id.unique'];
const shown = ['4.get.status', '4.get.item'];
const list = ['4.list.status', '4.list.items', '4.list.paging-fields', '4.list.holds-items', '4.list.deleted'];
const byPage = [
  '1.self-contained.lists',
  '4.offset.per-page',
  '4.offset.page',
  '4.offset.field-total',
  '4.offset.total',
  '4.offset.each-once',
];
const byCursor = [
  '1.self-contained.cursors',
  '4.cursor.next-cursor',
  '4.cursor.limit',
  '4.cursor.position',
  '4.cursor.ends',
  '4.cursor.each-once',
];
const filters = ['4.filter.color-offset', '4.filter.none-offset', '4.filter.color-cursor', '4.filter.none-cursor'];
const sorts = ['4.sort.price-offset', '4.sort.price-cursor'];
/** Checks of walks during writes, the simplest writes first: each check is a premise of the next. */
const walks = ['inserts', 'deletes', 'updates', 'by-price'].flatMap((change) => [
  `4.cursor.no-skips.${change}`,
  `4.cursor.no-duplicates.${change}`,
]);

const direct = new Map<string, readonly string[]>();
const addPremises = (id: string, ...premises: readonly string[]): void => {
  direct.set(id, [...(direct.get(id) ?? []), ...premises]);
};
const chain = (...ids: readonly string[]): void => {
  for (const [index, id] of ids.entries()) if (index > 0) addPremises(id, ids[index - 1] ?? '');
};

chain(...shown);
for (const id of ['2.id.kept', '2.name.kept', '4.replace.stored', '4.replace.one', '4.delete.one', '4.unknown.get']) {
  addPremises(id, ...shown);
}
chain('2.name.kept', '4.replace.stored', '4.replace.whole');
chain('4.delete.status', '4.delete.empty');
chain('4.unknown.get', '4.unknown.form', '7.status.unknown-path');
chain('4.unknown.get', '4.delete.gone', '4.unknown.delete');
chain('4.unknown.get', '4.unknown.put', '4.unknown.put-creates-nothing');
chain('4.method.collection', '4.method.item');
chain('4.create.without-name', '2.name.string', '4.create.no-object', '7.status.invalid-replace');
chain('4.create.without-name', '2.name.named');
chain('4.malformed.create', '4.malformed.replace');

chain('1.self-contained.no-cookie', '4.create.status');
chain('1.self-contained.no-cookie', '4.method.collection');
chain('1.self-contained.no-cookie', ...list);
chain('4.list.paging-fields', ...byPage);
chain('1.self-contained.lists', ...byCursor);
for (const id of [...byPage, ...byCursor]) addPremises(id, '4.list.holds-items');
chain('4.list.items', '4.offset.field-page');
chain('4.list.items', '4.offset.field-per-page');
chain('4.offset.per-page', '8.paging.asked');
chain('4.cursor.limit', '8.paging.asked', '8.paging.default');
addPremises('4.cursor.absent-on-last', '4.cursor.next-cursor', '4.cursor.ends');
addPremises('4.list.replaced', '4.list.holds-items', '4.list.deleted', '4.replace.stored', '4.replace.one');
chain(...filters);
chain(...sorts);
for (const style of ['offset', 'cursor']) {
  addPremises(`4.filter.color-${style}`, '4.list.deleted', `4.${style}.each-once`);
  addPremises(`4.sort.price-${style}`, `4.filter.none-${style}`);
  addPremises(`4.${style}.ties`, ...sorts, ...filters);
}
chain('4.offset.ties', '4.offset.nulls', '4.cursor.nulls');
chain('4.offset.ties', '4.cursor.ties', '4.cursor.nulls');
chain('4.cursor.each-once', ...walks);
addPremises('4.cursor.no-skips.inserts', '4.delete.one', '4.replace.one', ...filters);
for (const fault of ['no-skips', 'no-duplicates']) addPremises(`4.cursor.${fault}.by-price`, ...sorts, '4.cursor.ties');

chain('5.missing.read', '5.missing.write', '5.refused.unchanged');
chain('5.missing.read', '5.invalid.read', '5.invalid.write');
addPremises('5.invalid.write', '5.missing.write');
addPremises('5.refused.unchanged', ...shown);
chain('5.missing.read', '1.self-contained.credentials');
chain('5.invalid.read', '5.url');
chain('4.list.status', '5.read-only.reads');
chain('5.read-only.writes', '5.read-only.unchanged');
addPremises('5.read-only.unchanged', ...shown);

chain('4.method.collection', 'http.405.allow', '4.method.allow');
chain('5.missing.read', 'http.401.challenge', '5.challenges');
chain('4.create.status', 'http.201.location', '4.create.location');
chain('4.get.status', 'http.head', '4.head');
chain('4.create.status', 'http.415', '4.body.type');
for (const id of ['http.etag.strong', 'http.etag.changes']) addPremises(id, ...shown);
chain('http.etag.strong', 'http.etag.changes', 'http.if-match.put', 'http.if-match.delete');
addPremises('http.if-match.put', '4.replace.stored');
addPremises('http.if-match.delete', '4.delete.gone');
chain('http.etag.strong', '4.etag.strong');
chain('http.etag.changes', '4.etag.changes');
chain('http.if-match.put', '4.if-match.put', '4.if-match.race');
chain('http.if-match.delete', '4.if-match.delete');

export function premisesOf({ id, needs }: Pick<Check, 'id' | 'needs'>): readonly string[] {
  const general = needs.includes('items.write') && !roots.includes(id) ? roots : [];
  return [...general, ...(direct.get(id) ?? [])];
}

/** Moves premises before the checks that depend on them, and keeps the order otherwise. */
export function premisesFirst(checks: readonly Check[]): readonly Check[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  const ordered = new Set<Check>();
  const add = (check: Check): void => {
    if (ordered.has(check)) return;
    for (const id of premisesOf(check)) {
      const premise = byId.get(id);
      if (premise !== undefined) add(premise);
    }
    ordered.add(check);
  };
  for (const check of checks) add(check);
  return [...ordered];
}
