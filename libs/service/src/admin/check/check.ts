import { readFileSync } from 'node:fs';

import { isOutside } from '../session/operation-error.js';
import type { OperationContext } from '../operation.js';
import { checkBackup } from './backups.js';
import { checkCertificates } from './certificates.js';
import { type CheckedDatabase, withCheckedDatabase } from './checked-database.js';
import { failure, type Finding, type Level, LEVELS, ok, warning, worst } from './finding.js';
import { checkInstances, checkSecrets } from './instances.js';
import { checkMigrations, checkSchema } from './migrations.js';
import { checkClocks, checkConnections, checkStandbys } from './servers.js';
import { checkSettings } from './settings.js';
import { checkDisk, checkPartitions, checkStatistics } from './storage.js';
import { checkWebhooks } from './webhooks.js';

interface NamedFinding extends Finding {
  readonly check: string;
}

const NO_TABLE = '42P01';

const DATABASE_CHECKS: Readonly<Record<string, (database: CheckedDatabase) => Finding | Promise<Finding>>> = {
  migrations: checkMigrations,
  schema: checkSchema,
  statistics: checkStatistics,
  partitions: checkPartitions,
  clocks: checkClocks,
  instances: checkInstances,
  secrets: checkSecrets,
  connections: checkConnections,
  standbys: checkStandbys,
  backup: checkBackup,
  disk: checkDisk,
  webhooks: checkWebhooks,
};

/** @returns a line for each check, or one JSON object for `--json`; undefined if the arguments are wrong. */
export function check(context: OperationContext, args: readonly string[]): Promise<string> | undefined {
  const [option, ...more] = args;
  if (more.length > 0 || (option !== undefined && option !== '--json')) return undefined;
  return run(context).then((findings) => {
    context.exitWith(LEVELS.indexOf(levelOf(findings)));
    return format(findings, option);
  });
}

/**
 * Formats an invalid setting as the only finding, because the other checks need valid settings. The caller exits with
 * status 2.
 */
export function wrongSetting(message: string, args: readonly string[]): string {
  return format(
    [{ check: 'settings', ...failure(message.replace(/\.$/, ''), 'Correct it; .env.example describes each.') }],
    args[0],
  );
}

function format(findings: readonly NamedFinding[], option: string | undefined): string {
  return option === '--json' ? JSON.stringify({ status: levelOf(findings), checks: findings }) : lines(findings);
}

function levelOf(findings: readonly NamedFinding[]): Level {
  return worst(findings.map(({ level }) => level));
}

async function run({ config, schema }: OperationContext): Promise<readonly NamedFinding[]> {
  return [
    { check: 'version', ...ok(`@items/service ${ownVersion()}, Node.js ${process.version}`) },
    ...(await withCheckedDatabase(config, schema, checkDatabase).catch((error: unknown) => [unreadable(error)])),
    { check: 'settings', ...checkSettings(config) },
    await named('certificates', () => checkCertificates(config, Date.now())),
  ];
}

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return (manifest as { readonly version: string }).version;
}

async function checkDatabase(database: CheckedDatabase): Promise<NamedFinding[]> {
  const { dialect } = database.config.database;
  const findings: NamedFinding[] = [{ check: 'database', ...ok(`${dialect}, and it can be read`) }];
  for (const [name, work] of Object.entries(DATABASE_CHECKS)) findings.push(await named(name, () => work(database)));
  return findings;
}

/** Turns an error of a check into a warning: the database role may lack a privilege. */
async function named(check: string, work: () => Finding | Promise<Finding>): Promise<NamedFinding> {
  try {
    return { check, ...(await work()) };
  } catch (error) {
    return { check, ...warning(`could not be checked: ${messageOf(error)}`, 'Check it by hand, or grant the right.') };
  }
}

function unreadable(error: unknown): NamedFinding {
  const hasNoTables = isOutside(error) && (error.code === NO_TABLE || error.message.includes('no such table'));
  const finding = hasNoTables
    ? failure('has no tables of this service', 'Check DATABASE_URL, then run npm run admin -- migrate.')
    : failure(`cannot be read: ${messageOf(error)}`, 'Check DATABASE_URL, and whether its server runs.');
  return { check: 'database', ...finding };
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return isOutside(error) ? error.message || error.code : String(error);
  return error.message || (isOutside(error) ? error.code : error.name);
}

function lines(findings: readonly NamedFinding[]): string {
  const width = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));
  const [levels, names] = [width(LEVELS), width(findings.map((finding) => finding.check))];
  return findings
    .map(({ level, check: name, message, advice }) => {
      const said = advice === null ? message : `${message}. ${advice}`;
      return `${level.padEnd(levels)}  ${name.padEnd(names)}  ${said}`;
    })
    .join('\n');
}
