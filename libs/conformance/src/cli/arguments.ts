import { parseArgs } from 'node:util';
import { type Profile, profiles } from '../checks/all-checks.js';
import { type Options } from '../run.js';
import { type Header } from '../service/credentials.js';
import { CannotJudge } from '../verdict.js';
import { knownIdsIn, namingNames, namingOptionsOf, type NamingWords } from './naming-options.js';

export interface Arguments extends Options {
  readonly isGithub: boolean;
  readonly isSummary: boolean;
  readonly files: Readonly<Partial<Record<FileReport, string>>>;
}

export const fileReports = ['junit', 'json', 'html', 'sarif'] as const;
export type FileReport = (typeof fileReports)[number];

const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true } as const;
const options = {
  header: list,
  'read-only-header': list,
  profile: { ...text, default: 'seed' },
  only: list,
  skip: list,
  ...(Object.fromEntries(namingNames.map((name) => [name, text])) as Record<(typeof namingNames)[number], typeof text>),
  known: text,
  github: { type: 'boolean' },
  summary: { type: 'boolean' },
  sarif: text,
  junit: text,
  json: text,
  html: text,
  seed: text,
  timeout: { ...text, default: '10' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** @throws {CannotJudge} An unknown option, or an invalid value. */
export function parseArguments(words: readonly string[]): Arguments | 'help' | 'version' {
  const { values, positionals } = parsed(words);
  if (values.help) return 'help';
  if (values.version) return 'version';
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0)
    throw new CannotJudge('Give one address to judge; --help lists the options.');
  const { seed, known } = values;
  return {
    url: serviceUrl(url),
    profile: profileNamed(values.profile),
    naming: namingOptionsOf(namingWords(values)),
    known: known === undefined ? [] : knownIdsIn(known),
    isGithub: values.github ?? false,
    isSummary: values.summary ?? false,
    headers: (values.header ?? []).map(toHeader),
    readOnlyHeaders: (values['read-only-header'] ?? []).map(toHeader),
    only: parts(values.only),
    skip: parts(values.skip),
    ...(seed === undefined ? {} : { seed }),
    timeoutSeconds: positive(values.timeout),
    files: Object.fromEntries(fileReports.flatMap((name) => (values[name] ? [[name, values[name]]] : []))),
  };
}

function namingWords(values: ReturnType<typeof parse>['values']): NamingWords {
  return Object.fromEntries(namingNames.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])));
}

function parsed(words: readonly string[]): ReturnType<typeof parse> {
  try {
    return parse(words);
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('. ');
    throw new CannotJudge(`${reason.replace(/\.$/, '')}; --help lists the options.`);
  }
}

function parse(words: readonly string[]) {
  return parseArgs({ args: [...words], options, allowPositionals: true });
}

function serviceUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new CannotJudge(`${value} is not an address: give one such as https://api.example.com.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new CannotJudge('An address must not contain a credential: give it with --header.');
  }
  return `${url.origin}${withoutSlashesAtEnd(url.pathname)}`;
}

function profileNamed(value: string): Profile {
  const known = profiles.find((profile) => profile === value);
  if (known !== undefined) return known;
  throw new CannotJudge(`There is no profile ${value}: give ${profiles.join(', ')}.`);
}

function toHeader(line: string): Header {
  const colon = line.indexOf(':');
  const [name, value] = [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  if (colon < 1 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
    throw new CannotJudge("A header is given as 'Name: value'.");
  }
  return { name, value };
}

function parts(values: readonly string[] | undefined): string[] {
  return (values ?? [])
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function positive(value: string): number {
  const seconds = Number(value);
  if (seconds > 0 && seconds <= 3600) return seconds;
  throw new CannotJudge('--timeout takes a number of seconds, more than 0 and at most 3600.');
}

function withoutSlashesAtEnd(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}
