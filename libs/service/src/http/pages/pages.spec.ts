import type { FastifyRequest } from 'fastify';

import { ForeignFormError, requireOwnForm } from './own-form.js';
import { page, STYLE, STYLE_SOURCE } from './page.js';
import { pageHeaders } from './page-headers.js';

const ORIGIN = 'https://shop.example';

function sent(headers: Record<string, string>): FastifyRequest {
  return { raw: { headers } } as unknown as FastifyRequest;
}

describe('A form', () => {
  it.each([
    ['without Origin, as older browsers send it', {}],
    ['from the base URL', { origin: ORIGIN }],
    ['from the host that the browser knows', { origin: 'http://10.0.0.7:3000', host: '10.0.0.7:3000' }],
    ['from the same origin', { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
  ])('%s is accepted', (_title, headers) => {
    expect(() => requireOwnForm(sent({ host: 'shop.example', ...headers }), ORIGIN)).not.toThrow();
  });

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another scheme and host', { origin: 'http://other.example' }],
    ['of a sandboxed frame', { origin: 'null' }],
    ['that the browser calls cross-site', { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }],
    ['of another subdomain', { 'sec-fetch-site': 'same-site' }],
  ])('%s is refused with 400', (_title, headers) => {
    expect(() => requireOwnForm(sent({ host: 'shop.example', ...headers }), ORIGIN)).toThrow(ForeignFormError);
    expect(new ForeignFormError().status).toBe(400);
  });
});

describe('A page', () => {
  it('escapes the names of the page and of the service', () => {
    const html = page({ service: '<i>Shop</i>', title: 'A & B', main: '<p>Hello</p>' });
    expect(html).toContain('<title>A &amp; B – &lt;i&gt;Shop&lt;/i&gt;</title>');
    expect(html).toContain('<p>Hello</p>');
    expect(html).not.toContain('<i>');
    expect(html).not.toContain('<footer>');
  });

  it('allows its own style and no script, frame or form', () => {
    const { 'content-security-policy': policy, 'x-frame-options': frames } = pageHeaders();
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src ${STYLE_SOURCE}`);
    expect(policy).toContain("form-action 'none'");
    expect([policy?.includes("frame-ancestors 'none'"), frames]).toEqual([true, 'DENY']);
    expect(page({ service: 'Shop', title: 'T', main: '' })).toContain(`<style>${STYLE}</style>`);
  });

  it('allows the redirect of its form to the origins of the client, each once', () => {
    const { 'content-security-policy': policy } = pageHeaders('https://app.example/a', 'https://app.example/b?c=d');
    expect(policy).toContain("form-action 'self' https://app.example;");
  });
});
