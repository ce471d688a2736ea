import type { CheckContext } from '../check.js';
import { CannotJudge, ifApplicable } from '../verdict.js';
import { cookieOf, type Exchange, fieldsOf, post } from '../service/exchange.js';
import { discoverFields } from './item-fields.js';
import { discoverPaging } from './paging-styles.js';
import { idOf, idsOf, rowsOf } from '../pages/walk.js';

/**
 * Detects the features of the service before any check. A feature counts as present in any form, so that only the check
 * of the form fails.
 * @throws {CannotJudge} The service does not respond, or refuses the credential.
 */
export async function discover(context: CheckContext): Promise<void> {
  const { service, found } = context;
  const list = await service.get('/items');
  requireService(list, context);
  found.cookie = cookieOf(list);
  if (service.credentials.readOnlyGiven) {
    const asReader = await service.get('/items', { as: 'reader' });
    if (asReader.status === 401 && found.cookie === '')
      throw new CannotJudge('The read-only credential is refused (401).');
  } else found.lacks('read-only', 'no read-only credential was given (--read-only-header)');
  const { naming } = service.translation;
  if (naming.member === null) found.lacks('envelope', 'the list is a bare array');
  if (typeof (service.translation.example['name'] ?? '') !== 'string') {
    found.lacks('name.text', `\`${naming.required}\` is not a text`);
  }
  const host = new URL(service.baseUrl).hostname;
  if (!['localhost', '127.0.0.1', '[::1]'].includes(host)) {
    found.lacks('loopback', 'checked only on localhost, so that no credential gets into a foreign log');
  }
  await discoverWriting(context);
  await discoverAccess(context);
  await discoverFields(context);
  await discoverPaging(context);
  await discoverIgnoredParameters(context);
  await discoverUsers(context);
}

function requireService(list: Exchange, { service }: CheckContext): void {
  const { status } = list;
  const address = service.urlOf({ path: '/items' });
  if (status === 401 || status === 403) {
    throw new CannotJudge(
      service.credentials.given
        ? `The credential is refused: GET ${address} answers ${status}.`
        : `The service asks for a credential (${status}): give one, such as --header 'X-API-Key: …'.`,
    );
  }
  if (status >= 300 && status < 400) {
    throw new CannotJudge(`${address} redirects to ${String(list.headers.location)}: give the address it leads to.`);
  }
  if (status === 404) throw new CannotJudge(`There is no collection at ${address} (404): is the address right?`);
  if (status === 0 || (status >= 502 && status <= 504)) {
    throw new CannotJudge(`The service does not answer: GET ${address} gives ${status === 0 ? list.text : status}.`);
  }
}

/** The seed specification requires "at least `name`". If `name` alone is refused, adds the other known fields. */
async function discoverWriting({ service, found, items }: CheckContext): Promise<void> {
  const { collection, create, isItems } = service.translation.naming;
  const others = isItems && Object.keys(create).length === 0 ? [{ color: 'red', price: 1 }] : [];
  for (const required of [{}, ...others]) {
    found.required = required;
    if (await ifApplicable(items.create())) return;
  }
  found.required = {};
  if (found.cookie !== '') return found.lacks('items.write', 'the service requires the cookie of its first response');
  const status = service.last?.status ?? 0;
  if (status === 401 && !service.credentials.given) {
    throw new CannotJudge("The service asks for a credential to write (401): give one with --header 'X-API-Key: …'.");
  }
  if (status === 401 || status === 403) {
    throw new CannotJudge(`The credential may not create items (${status}): give one that may, with --header.`);
  }
  const message = fieldsOf(service.last?.json)['error'];
  const reason = typeof message === 'string' ? `: ${message}` : '';
  const answer = `POST ${collection} answers ${status}${reason}`;
  if (status === 422 && !isItems) {
    const told = service.credentials.redact(answer);
    throw new CannotJudge(
      `No member could be created (${told}). Name what a member needs with --create and --required.`,
    );
  }
  found.lacks('items.write', `4.create.status: no item could be created (${answer})`);
}

const notRequired = 'no credential is required';

/** §5 is not applicable if every caller may read and create items. */
async function discoverAccess({ service, found, items }: CheckContext): Promise<void> {
  if (!service.credentials.given) {
    found.notes.push('No credential was given, and the service requires none: §5 could not be judged.');
    found.lacks('credential', notRequired);
    return;
  }
  const asked = [await service.get('/items', { as: 'anonymous' }), await service.get('/items', { as: 'impostor' })];
  if (found.has('items.write')) {
    asked.push(await service.send(post('/items', items.content(), { as: 'anonymous' })));
  }
  // Any refusal counts: §5 has its own check of the status.
  if (asked.some(({ status }) => status >= 400)) return;
  found.notes.push('A credential was given, but the service requires none: §5 could not be judged.');
  found.lacks('credential', notRequired);
}

async function discoverUsers(context: CheckContext): Promise<void> {
  const { service, found } = context;
  const list = await service.get('/users');
  const { users, items } = fieldsOf(list.json);
  const rows = [users, items].find((one) => Array.isArray(one)) as unknown[] | undefined;
  if (list.status !== 200 || rows === undefined) {
    return found.lacks(['users', 'orders'], `the service shows no users (GET /users answers ${list.status})`);
  }
  const first = rows.map(idOf).find((id) => id !== '');
  if (first === undefined) return found.lacks('orders', 'there is no user whose orders could be asked for');
  found.ordersPath = `/users/${encodeURIComponent(first)}/orders`;
  const orders = await service.get(found.ordersPath);
  if (orders.status !== 200) found.lacks('orders', `GET ${found.ordersPath} answers ${orders.status}`);
}

const unknownParameters = ['no_such_parameter=1', 'colour=red'];

/** Notes ignored parameters: the seed specification allows them, but a misspelt filter then lists every row. */
async function discoverIgnoredParameters({ service, found }: CheckContext): Promise<void> {
  const { filter } = service.translation.naming;
  const before = await service.get('/items');
  if (before.status !== 200 || rowsOf(before).length === 0) return;
  const ignored: string[] = [];
  for (const query of unknownParameters.filter((one) => !one.startsWith(`${filter?.name ?? ''}=`))) {
    const answer = await service.get(`/items?${query}`);
    if (answer.status === 200 && idsOf(answer).join() === idsOf(before).join()) ignored.push(`?${query}`);
  }
  if (ignored.length === 0) return;
  const path = service.translation.path('/items');
  found.notes.push(`ignored_parameter: GET ${path} lists the same rows with ${ignored.join(' and with ')}.`);
}
