import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** The folder cannot be used; the message says why, and what to do. */
export class CreateServiceError extends Error {
  override readonly name = 'CreateServiceError';
}

/** npm's rule for names, without scopes. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/;

/**
 * Writes the repository of a new service: one collection, a test, a Dockerfile, a README.
 * @param folder is created where it does not exist; its last part is the name of the service.
 * @returns the names of the files.
 * @throws {CreateServiceError} the folder has files already, or its name is no name of a package.
 */
export function createService(folder: string): readonly string[] {
  const target = resolve(folder);
  const name = basename(target);
  if (!NAME.test(name))
    throw new CreateServiceError(
      `"${name}" cannot be the name of a package: use lower-case letters, digits, ".", "_" and "-".`,
    );
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new CreateServiceError(`${folder} is not empty: choose another folder.`);
  mkdirSync(target, { recursive: true });
  const templates = new URL('../templates/', import.meta.url);
  return readdirSync(templates).map((template) => {
    const text = readFileSync(new URL(template, templates), 'utf8');
    // npm leaves a .gitignore out of every package.
    const file = template.replace(/^_/, '.').replace(/\.template$/, '');
    writeFileSync(join(target, file), text.replaceAll('{{name}}', name).replaceAll('{{version}}', ownVersion()));
    return file;
  });
}

/** All packages of a release have the same version. */
function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return (manifest as { readonly version: string }).version;
}
