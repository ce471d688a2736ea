import type { DynamicModule, ForwardReference } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants';

import type { CollectionParts } from '../composition/composition.js';

export interface CollectionFeature extends CollectionParts {
  readonly collection: object;
}

type Reference = ForwardReference<() => unknown>;

const features = new WeakMap<object, CollectionFeature>();

export function addFeature(module: object, feature: CollectionFeature): void {
  features.set(module, feature);
}

/** The module to which each promise has resolved, from {@link resolveModules}. */
const resolved = new WeakMap<object, unknown>();

/** Awaits modules that are promises, so that {@link featuresOf} finds their collections. */
export async function resolveModules(modules: readonly unknown[], seen = new Set<unknown>()): Promise<void> {
  for (const module of modules) {
    if (seen.has(module)) continue;
    seen.add(module);
    if (module instanceof Promise) resolved.set(module, await module);
    await resolveModules(importsOf(module), seen);
  }
}

export function featuresOf(modules: readonly unknown[]): readonly CollectionFeature[] {
  const found = new Map<object, CollectionFeature>();
  const seen = new Set<unknown>();
  const visit = (module: unknown): void => {
    if (!isModule(module) || seen.has(module)) return;
    seen.add(module);
    const feature = features.get(module);
    if (feature !== undefined) found.set(feature.collection, { ...found.get(feature.collection), ...feature });
    importsOf(module).forEach(visit);
  };
  modules.forEach(visit);
  return [...found.values()];
}

function importsOf(module: unknown): readonly unknown[] {
  if (!isModule(module)) return [];
  if (module instanceof Promise) return [resolved.get(module)];
  const { forwardRef, module: type = module, imports = [] } = module as Partial<Reference & DynamicModule>;
  const own = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, type) ?? []) as readonly unknown[];
  return [...(forwardRef === undefined ? [] : [forwardRef()]), ...own, ...imports];
}

/** Returns false for undefined, the result of a circular import. Nest reports such imports. */
function isModule(module: unknown): module is object {
  return typeof module === 'function' || (typeof module === 'object' && module !== null);
}
