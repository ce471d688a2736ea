import { definitionOf, type DtoClass } from '@items/fields';

export interface ReferenceTarget {
  readonly name: string;
  readonly singular: string;
  readonly parent: string | undefined;
}

export interface StoredReference {
  readonly column: string;
  readonly target: () => ReferenceTarget;
  readonly isParent: boolean;
  /** `refuse` prevents the deletion of the target. `keep` allows it and leaves the id in the column. */
  readonly onDelete: 'refuse' | 'keep';
}

/** A column whose values prevent the deletion of the members that they refer to. */
export interface Referrer {
  readonly table: string;
  readonly column: string;
  readonly isParent: boolean;
}

export function referencesOf(dto: DtoClass, parent: string | undefined): readonly StoredReference[] {
  const references = [...definitionOf(dto).fields].flatMap(([column, { reference }]): StoredReference[] => {
    if (reference === undefined) return [];
    const { target, onDelete } = reference;
    return [{ column, onDelete, isParent: column === parent, target: target as () => ReferenceTarget }];
  });
  return references.sort((one, other) => Number(other.isParent) - Number(one.isParent));
}

export function referrersOf(
  { name }: ReferenceTarget,
  collections: readonly { readonly name: string; readonly references?: readonly StoredReference[] }[],
): readonly Referrer[] {
  return collections.flatMap(({ name: table, references = [] }) =>
    references
      .filter(({ target, onDelete }) => onDelete === 'refuse' && target().name === name)
      .map(({ column, isParent }) => ({ table, column, isParent })),
  );
}
