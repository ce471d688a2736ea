import { type CheckContext } from '../context.js';
import { idsOf, rowsOf } from '../pages/rows.js';

const unknown = ['no_such_parameter=1', 'colour=red'];

/** The specification does not forbid to ignore a parameter, but a misspelt filter then lists every row. */
export async function discoverIgnoredParameters({ service, found }: CheckContext): Promise<void> {
  const { filter } = service.words.naming;
  const before = await service.get('/items');
  if (before.status !== 200 || rowsOf(before).length === 0) return;
  const ignored: string[] = [];
  for (const query of unknown.filter((one) => !one.startsWith(`${filter?.name ?? ''}=`))) {
    const answer = await service.get(`/items?${query}`);
    if (answer.status === 200 && idsOf(answer).join() === idsOf(before).join()) ignored.push(`?${query}`);
  }
  if (ignored.length === 0) return;
  const path = service.words.path('/items');
  found.notes.push(`ignored_parameter: GET ${path} lists the same rows with ${ignored.join(' and with ')}.`);
}
