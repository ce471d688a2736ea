import { escaped } from './html.js';

describe('Text in HTML', () => {
  it('is text for any characters', () => {
    expect(escaped(`<b title="x" id='y'>&amp;`)).toBe('&lt;b title=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;');
  });
});
