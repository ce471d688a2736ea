import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { itemsPackages } from './items-packages.js';
import { CreateServiceError, namesOf } from './names-of.js';

export interface CreateServiceOptions {
  /** Database in `.env.example`. Default: `sqlite`. */
  readonly database?: 'sqlite' | 'postgres';
  /** Name of the first collection, a plural. Default: `books`. */
  readonly collection?: string;
  readonly git?: boolean;
}

/** Default of the service, so that copying `.env.example` does not change the database. */
const SQLITE = 'sqlite:./data/items.sqlite';

const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/;

/**
 * Writes the repository of a new service: one collection with a test, a container image, Compose and CI.
 * @param folder its last part is the name of the service.
 * @throws {CreateServiceError} the folder is not empty, or a name cannot be used.
 */
export function createService(
  folder: string,
  { database = 'sqlite', collection = 'books', git = true }: CreateServiceOptions = {},
): readonly string[] {
  const target = resolve(folder);
  const name = basename(target);
  if (!NAME.test(name))
    throw new CreateServiceError(
      `"${name}" cannot be the name of a package: use lower-case letters, digits, ".", "_" and "-".`,
    );
  const names = namesOf(collection);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new CreateServiceError(`${folder} is not empty: choose another folder.`);
  const { specifiers, overrides, vendor } = itemsPackages();
  const values: Readonly<Record<string, string>> = {
    name,
    ...names,
    ...specifiers,
    databaseUrl: database === 'sqlite' ? SQLITE : `postgres://postgres:postgres@127.0.0.1:5432/${name}`,
    copyVendor: vendor === undefined ? '' : 'COPY vendor vendor\n',
  };
  const files = templates().map((template) => {
    const file = fileOf(template, names.path);
    const text = readFileSync(new URL(template, TEMPLATES), 'utf8');
    const filled = text.replaceAll(/\{\{([\w@/-]+)\}\}/g, (_, key: string) => values[key] ?? '');
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), file === 'package.json' ? withOverrides(filled, overrides) : filled);
    return file;
  });
  if (vendor !== undefined) cpSync(vendor, join(target, 'vendor'), { recursive: true });
  if (git) createRepository(target);
  return files;
}

const TEMPLATES = new URL('../templates/', import.meta.url);

function templates(): readonly string[] {
  return readdirSync(TEMPLATES, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.template'))
    .sort();
}

/** npm omits `.gitignore` from packages, so the names of templates begin with `_` instead of a dot. */
function fileOf(template: string, collection: string): string {
  return template
    .replace(/\.template$/, '')
    .replace('__collection__', collection)
    .replace(/^_/, '.');
}

function withOverrides(manifest: string, overrides: Readonly<Record<string, string>>): string {
  if (Object.keys(overrides).length === 0) return manifest;
  return `${JSON.stringify({ ...(JSON.parse(manifest) as object), overrides }, null, 2)}\n`;
}

/** Does nothing if the folder is part of a repository, or Git is not installed. */
function createRepository(cwd: string): void {
  const { status } = spawnSync('git', ['rev-parse', '--is-inside-work-tree'], { cwd, stdio: 'ignore' });
  if (status !== 0) spawnSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd, stdio: 'ignore' });
}
