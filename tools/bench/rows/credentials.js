import { created } from './created.js';
import { asked, itemPaths } from './reads.js';

const USERNAME = 'bench.user';
const PASSWORD = 'correct horse battery';
const SCOPE = 'items:read';

/** Compares each kind of credential, once cached, with a key. @type {import('../rows.js').Row[]} */
export const credentials = [
  {
    name: 'credentials',
    title: 'get by id by kind of credential',
    contestants: async (systems) => {
      const { service, ids } = await systems.sqlite();
      await created(service, '/users', { username: USERNAME, password: PASSWORD });
      const { key } = await created(service, '/api-keys', { name: 'bench', scopes: [SCOPE] });
      const session = await created(service, '/sessions', { username: USERNAME, password: PASSWORD });
      const client = await created(service, '/clients', {
        name: 'bench',
        scopes: [SCOPE],
        redirect_uris: [],
        grant_types: ['client_credentials'],
      });
      const token = await clientToken(service.address, String(client.client_id), String(client.client_secret));
      /** @type {Record<string, Record<string, string>>} */
      const kinds = {
        'API key': { 'x-api-key': String(key) },
        'session token': { authorization: `Bearer ${String(session.access_token)}` },
        Basic: { authorization: `Basic ${base64(`${USERNAME}:${PASSWORD}`)}` },
        'OAuth token': { authorization: `Bearer ${token}` },
      };
      return Object.entries(kinds).map(([name, headers]) => ({ ...asked(service, itemPaths(ids), headers), name }));
    },
  },
];

/** @param {string} address @param {string} id @param {string} secret */
async function clientToken(address, id, secret) {
  const answer = await fetch(`${address}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${base64(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPE }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return String(/** @type {{ access_token: string }} */ (await answer.json()).access_token);
}

function base64(/** @type {string} */ text) {
  return Buffer.from(text).toString('base64');
}
