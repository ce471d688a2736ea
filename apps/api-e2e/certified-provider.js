/**
 * Runs a real identity provider, oidc-provider, in its own process. It logs everyone in as `ada`, whose role only the
 * UserInfo endpoint returns. Prints its address. The argument is the port, for manual tests:
 * docs/identity-provider.md.
 */
import { createServer } from 'node:http';

import { Provider } from 'oidc-provider';

const server = createServer();
await new Promise((resolve) => server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [{ client_id: 'items', client_secret: 'top:secret', redirect_uris: ['http://127.0.0.1/callback'] }],
  claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
  cookies: { keys: ['of a test'] },
  features: { devInteractions: { enabled: false } },
  findAccount: (_ctx, id) => ({
    accountId: id,
    claims: () => ({ sub: id, preferred_username: `${id}@example.com`, groups: ['staff'] }),
  }),
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  loadExistingGrant: async ({ oidc }) => {
    const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
});
// Accepts any redirect URI, because the port of the service is not known yet.
provider.Client.prototype.redirectUriAllowed = () => true;
const serve = provider.callback();
server.on('request', (request, response) => {
  if (!request.url.startsWith('/interaction/')) return serve(request, response);
  return provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
});
console.log(issuer);
