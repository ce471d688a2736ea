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

export function featuresOf(modules: readonly unknown[]): readonly CollectionFeature[] {
  const found = new Map<object, CollectionFeature>();
  const seen = new Set<unknown>();
  const visit = (module: unknown): void => {
    if (!isModule(module) || seen.has(module)) return;
    seen.add(module);
    const feature = features.get(module);
    if (feature !== undefined) found.set(feature.collection, { ...found.get(feature.collection), ...feature });
    const { forwardRef, module: type = module, imports = [] } = module as Partial<Reference & DynamicModule>;
    if (forwardRef !== undefined) visit(forwardRef());
    const own = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, type) ?? []) as readonly unknown[];
    [...own, ...imports].forEach(visit);
  };
  modules.forEach(visit);
  return [...found.values()];
}

/** A circular import of two files leaves undefined in their modules, which Nest reports. */
function isModule(module: unknown): module is object {
  return typeof module === 'function' || (typeof module === 'object' && module !== null);
}
