import { Browser } from '@items/testing';

import { describeOnBothDatabases } from '../../../service/testing/fixture-database.testing.js';
import { startCodeFlow, type CodeFlow } from '../testing/code-flow.testing.js';

describeOnBothDatabases('One approval for each user and client', (under) => {
  let flow: CodeFlow;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config);
  });
  afterAll(() => flow.oauth.close());

  const grants = async (username: string): Promise<{ total: number; grants: { id: string; scopes: string[] }[] }> =>
    (await flow.oauth.basic(username).get('/users/me/grants?page=1')).json() as never;

  it('is the result of any number of concurrent consents', async () => {
    const pages = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const browser = new Browser(flow.oauth.baseUrl);
        return { browser, page: await flow.logIn(browser) };
      }),
    );
    const answers = await Promise.all(pages.map(({ browser, page }) => browser.submit(page, { decision: 'allow' })));
    expect(answers.map(({ left }) => left?.searchParams.has('code'))).toEqual(Array(6).fill(true));
    const listed = await grants('mary');
    expect([listed.total, listed.grants.length]).toEqual([1, 1]);
  });
});
