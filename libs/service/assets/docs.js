'use strict';

// Scalar shows the document in place of the page that needs no script, and tries requests on the service that served the
// page. It stores no key. Code samples are for curl, Python and, from the document itself, for @items/client.
const HIDDEN_LANGUAGES =
  'c clojure csharp dart fsharp go http java js julia kotlin node objc ocaml php powershell r ruby rust swift';
const { reference, scalar } = document.currentScript.dataset;

/** Loads Scalar after the page without scripts has been painted: its script takes a second of CPU. */
function loadScalar() {
  const script = document.createElement('script');
  script.src = scalar;
  script.onload = showReference;
  document.head.append(script);
}

function showReference() {
  const place = document.createElement('div');
  // Not visible, but with a size, until it is complete.
  place.style.cssText = 'position: fixed; inset: 0; overflow: hidden; visibility: hidden';
  document.body.append(place);
  new MutationObserver((_, observer) => {
    if (place.querySelector('h1') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => replacePage(place));
  }).observe(place, { childList: true, subtree: true });
  createReference(place);
}

/** Removes the page without scripts, except for the link to the console. */
function replacePage(place) {
  const pages = document.getElementById('pages');
  if (pages !== null) pages.style.cssText = 'padding: 0.6rem 1.5rem; font: 0.9375rem/1.5 system-ui, sans-serif';
  place.removeAttribute('style');
  document.querySelector('link[rel=stylesheet]').remove();
  document.querySelector('.page').replaceWith(...(pages === null ? [] : [pages]));
}

function createReference(place) {
  window.Scalar.createApiReference(place, {
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
    hiddenClients: {
      ...Object.fromEntries(HIDDEN_LANGUAGES.split(' ').map((language) => [language, true])),
      python: ['python3', 'aiohttp', 'httpx_async', 'httpx_sync'],
      shell: ['httpie', 'wget'],
    },
  });
}

addEventListener('load', () => requestAnimationFrame(() => setTimeout(loadScalar)));
