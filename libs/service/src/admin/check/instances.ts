import { runningInstances, type NamedInstance } from '../../runtime/instances/instance-record.js';
import type { CheckedDatabase } from './checked-database.js';
import { formatCount, failure, type Finding, ok, warning } from './finding.js';

const SECRETS = { CURSOR_SECRET: 'cursorSecrets', WEBHOOK_KEY: 'webhookKeys' } as const;

export function checkInstances({ settings, nowMs }: CheckedDatabase): Finding {
  const instances = runningInstances(settings, nowMs);
  const maintenance = settings.find(({ name }) => name === 'maintenance');
  if (maintenance !== undefined)
    return warning('maintenance is on: every instance returns 503', 'Run npm run admin -- maintenance off.');
  if (instances.length === 0)
    return warning(
      'none has reported in the last three minutes',
      'Start one, or read its log: a start may be waiting.',
    );
  const names = instances.map(({ name }) => name).join(', ');
  const different = differences(instances);
  const problems: (readonly [fact: string, advice: string])[] = [];
  if (different.length > 0)
    problems.push([
      `differ in ${different.join(', ')}`,
      'Give all instances the same settings, one restart after the other.',
    ]);
  if (instances.length > 1 && !instances.some(({ hasRedis }) => hasRedis))
    problems.push(['run without REDIS_URL', 'Set REDIS_URL: otherwise a client has its quota at each instance.']);
  if (problems.length > 0)
    return warning(
      `${names} ${problems.map(([fact]) => fact).join(', and ')}`,
      problems.map(([, advice]) => advice).join(' '),
    );
  return ok(`${formatCount(instances.length, 'instance')} with the same settings: ${names}`);
}

function differences(instances: readonly NamedInstance[]): string[] {
  const names = new Set(instances.flatMap(({ settings }) => Object.keys(settings)));
  return [...names].filter((name) => new Set(instances.map(({ settings }) => settings[name])).size > 1);
}

/**
 * Checks that each instance can read what the others write. An instance writes with its first secret, and reads with
 * every secret.
 */
export function checkSecrets({ settings, nowMs }: CheckedDatabase): Finding {
  const instances = runningInstances(settings, nowMs);
  const entries = Object.entries(SECRETS);
  for (const [variable, member] of entries) {
    const lists = instances.map((instance) => instance[member]);
    const isReadByAll = lists.every(([first]) =>
      lists.every((list) => (first === undefined ? list.length === 0 : list.includes(first))),
    );
    if (!isReadByAll)
      return failure(
        `${variable} is not the same on all instances: some refuse values that others create`,
        `Give all instances the same list; rotate it as docs/rotation.md describes.`,
      );
  }
  const changing = entries.filter(
    ([, member]) => new Set(instances.map((instance) => instance[member].join())).size > 1,
  );
  if (changing.length > 0) {
    const names = changing.map(([variable]) => variable).join(', ');
    return warning(
      `a rotation of ${names} is under way: all instances can read all values`,
      'Finish it: docs/rotation.md.',
    );
  }
  return ok(instances.length < 2 ? 'there is one instance at most' : 'the same on all instances');
}
