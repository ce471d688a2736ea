import { openApiDocument } from '../build/build-document.js';
import { EncodedBody } from '../served/encoded-body.js';
import { docsPage } from './docs-page.js';
import { paragraphs } from './markup.js';
import type { HashedFile } from '../served/send-encoded.js';
import type { PageFileSet } from './page-files.js';

const info = { title: 'Books & more', version: '1.0.0' };
const fileNamed = (name: string): HashedFile => ({ name, type: 'text/css', body: new EncodedBody(Buffer.of()) });
const files: PageFileSet = {
  style: fileNamed('docs.css'),
  icon: fileNamed('favicon.svg'),
  scalar: fileNamed('scalar.js'),
  script: fileNamed('docs.js'),
  reference: fileNamed('reference.json'),
};

describe('The page of an API', () => {
  it('has no steps and no conventions if the API has none', () => {
    const page = docsPage(openApiDocument([], { info }), files);
    expect(page).toContain('<h1>Books &amp; more</h1>');
    expect([...page.matchAll(/<h2 id="([\w-]+)"/g)].map(([, id]) => id)).toEqual(['operations']);
  });

  it('links to the console of a service that has one', () => {
    const document = openApiDocument([], { info });
    expect(docsPage(document, files)).not.toContain('href="console"');
    expect(docsPage(document, files, { console: true })).toContain('<a href="console">Console</a>');
  });

  it('shows the steps and the conventions before the operations', () => {
    const page = docsPage(openApiDocument([], { info: { ...info, description: '**Lists** come in pages.' } }), files, {
      quickStart: [{ says: 'Look:', command: 'curl "$URL/books"' }],
    });
    expect([...page.matchAll(/<h2 id="([\w-]+)"/g)].map(([, id]) => id)).toEqual([
      'quick-start',
      'conventions',
      'operations',
    ]);
    expect(page).toContain('<li>Look:<pre tabindex="0"><code>curl &quot;$URL/books&quot;</code></pre></li>');
    expect(page).toContain('<p><strong>Lists</strong> come in pages.</p>');
  });
});

describe('Text in the page', () => {
  it('may have paragraphs, bold words and code', () => {
    expect(paragraphs('**a** `<b>`\n\nc')).toBe('<p><strong>a</strong> <code>&lt;b&gt;</code></p>\n<p>c</p>');
  });
});
