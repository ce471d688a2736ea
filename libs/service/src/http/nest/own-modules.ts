import { Module } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

/** Imports the modules that an app adds to the service. */
@Module({})
export class OwnModules {}

export function ownControllers(modules: ModulesContainer): ReadonlySet<unknown> {
  const all = [...modules.values()];
  const seen = new Set(all.filter(({ metatype }) => metatype === OwnModules));
  // The loop also visits the modules that it adds.
  for (const module of seen) for (const imported of module.imports) seen.add(imported);
  return new Set([...seen].flatMap(({ controllers }) => [...controllers.values()].map(({ metatype }) => metatype)));
}
