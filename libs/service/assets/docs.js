'use strict';

// Scalar shows the document in place of the page that needs no script, and tries requests on the service that served the
// page. It stores no key. Code samples are for curl, Python and, from the document itself, for @items/client.
const HIDDEN_LANGUAGES =
  'c clojure csharp dart fsharp go http java js julia kotlin node objc ocaml php powershell r ruby rust swift';
const { createApiReference } = window.Scalar;
const { reference } = document.currentScript.dataset;

const place = document.createElement('div');
// The way to the other page stays above the document.
const pages = document.getElementById('pages');
if (pages !== null) pages.style.cssText = 'padding: 0.6rem 1.5rem; font: 0.9375rem/1.5 system-ui, sans-serif';
document.body.replaceChildren(...(pages === null ? [] : [pages]), place);
document.querySelector('link[rel=stylesheet]').remove();

createApiReference(place, {
  url: new URL(reference, location.href).href,
  servers: [{ url: new URL('.', location.href).href.replace(/\/$/, '') }],
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  featuredClients: ['shell/curl', 'python/requests'],
  hiddenClients: {
    ...Object.fromEntries(HIDDEN_LANGUAGES.split(' ').map((language) => [language, true])),
    python: ['python3', 'aiohttp', 'httpx_async', 'httpx_sync'],
    shell: ['httpie', 'wget'],
  },
});
