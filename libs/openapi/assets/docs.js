'use strict';

// swagger-ui shows what the document says, without the methods that every path has anyway, and tries requests on the
// service that served the page. The page's own text stands in for its title and description.
(async () => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();

  const answer = await fetch('openapi.json');
  if (!answer.ok) throw new Error(`openapi.json: ${answer.status}`);
  const spec = await answer.json();
  spec.servers = [{ url: new URL('.', location.href).href.replace(/\/$/, '') }];
  for (const item of Object.values(spec.paths)) {
    delete item.head;
    delete item.options;
  }
  // Examples and defaults would be sent with every trial, both styles of paging at once among them.
  const operations = Object.values(spec.paths).flatMap(Object.values);
  const parameters = [spec.components, ...operations].flatMap((holder) => Object.values(holder.parameters ?? {}));
  for (const parameter of parameters.filter(({ required }) => required === false)) {
    delete parameter.example;
    delete parameter.schema.default;
  }

  const nothing = () => () => null;
  window.SwaggerUIBundle({
    spec,
    domNode: document.getElementById('swagger-ui'),
    plugins: [{ wrapComponents: { InfoContainer: nothing, ServersContainer: nothing } }],
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    docExpansion: 'list',
    tryItOutEnabled: true,
    validatorUrl: null,
  });
})().catch((error) => {
  const place = document.getElementById('swagger-ui');
  place.textContent = `The reference cannot be shown (${error.message}). Everything it says stands in openapi.json.`;
});
