import type { Scope } from '@items/dtos/contract';
import { freshColor, type Answer, type HttpClient } from '@items/testing';

import { admin } from '../harness/clients.js';
import { expectStatus } from '../harness/reading.js';
import { createUser } from '../harness/users.js';
import { pagesOf, type BetweenPages } from '../harness/walk.js';
import { createMember } from './create-member.js';
import { canBeUnique, isWord, omittedOf, parseField, sampleOf, type FieldNotation } from './sample-fields.js';

export interface CollectionSpec {
  /** `/items`, or below a parent: `/users/{user_id}/orders`, `/authors/{author_id}/books`. */
  readonly path: string;
  /** Input of POST and PUT, in the notation of the generator. */
  readonly fields: Readonly<Record<string, FieldNotation>>;
  readonly sortable: readonly string[];
  readonly filters: readonly string[];
  /** Unique keys, each with its fields. */
  readonly unique?: readonly (readonly string[])[];
  /** The served operations. Default: all five. */
  readonly methods?: readonly string[];
  /** `item` of the event type `item.created`; undefined without events. */
  readonly events?: string;
}

export type Member = Readonly<Record<string, unknown>> & { readonly id: string };

/** A page in cursor or offset style. */
export type Page = Readonly<Record<string, unknown>> & { readonly total?: number; readonly next_cursor?: string };

/** Members in a list that shows no members of other tests. */
export interface OwnMembers {
  /** A filter for these members that ends in `&`; empty if the collection has none. */
  readonly query: string;
  readonly members: readonly Member[];
}

/** Creates samples of a collection, and reads its lists. */
export class CollectionUnderTest {
  /** Name of the array in its pages. */
  readonly name: string;
  readonly read: Scope;
  readonly write: Scope;
  private parent = '';
  private readonly targets = new Map<string, string>();

  constructor(readonly spec: CollectionSpec) {
    const last = spec.path.split('/').at(-1) ?? '';
    this.name = last.replaceAll('-', '_');
    this.read = `${last}:read` as Scope;
    this.write = `${last}:write` as Scope;
  }

  get isOwned(): boolean {
    return this.spec.path.includes('{user_id}');
  }

  get parentField(): string | undefined {
    return /\{(\w+)\}/.exec(this.spec.path)?.[1];
  }

  get parentName(): string | undefined {
    return this.parentField === undefined ? undefined : this.spec.path.split('/')[1];
  }

  pathBelow(parent: string): string {
    return this.spec.path.replace(/\{\w+\}/, parent);
  }

  get path(): string {
    return this.pathBelow(this.parent);
  }

  /** The reference fields, and the collections to which they refer. */
  get references(): { readonly field: string; readonly target: string; readonly isKept: boolean }[] {
    return Object.entries(this.spec.fields).flatMap(([field, notation]) => {
      const { kind, within, isKept } = parseField(notation);
      return kind === 'reference' && within !== undefined ? [{ field, target: within, isKept }] : [];
    });
  }

  /** The scopes that a write needs: the write scope, and read scopes for referenced members. */
  get writes(): Scope[] {
    return [this.write, ...this.references.map(({ target }) => `${target}:read` as Scope)];
  }

  get required(): string[] {
    return Object.entries(this.spec.fields).flatMap(([field, kind]) => (omittedOf(kind) === undefined ? [field] : []));
  }

  /** Creates the parent, and a target for each reference. */
  async prepare(): Promise<void> {
    if (this.isOwned) this.parent = (await createUser()).id;
    else if (this.parentName !== undefined) this.parent = (await createMember(this.parentName)).id;
    for (const { field, target } of this.references) {
      if (target !== this.spec.path.split('/').at(-1)) this.targets.set(field, (await createMember(target)).id);
    }
  }

  body(n = 0, overrides: object = {}): Record<string, unknown> {
    const keyed = this.spec.unique?.map((key) => key.find((field) => canBeUnique(this.spec.fields[field]))) ?? [];
    const samples = Object.entries(this.spec.fields).map(([field, kind]) => {
      const target = parseField(kind).kind === 'reference' ? (this.targets.get(field) ?? null) : undefined;
      return [field, target ?? sampleOf(kind, n, keyed.includes(field)) ?? null] as const;
    });
    return { ...Object.fromEntries(samples), ...overrides };
  }

  async create(n = 0, overrides: object = {}, client: HttpClient = admin): Promise<Member> {
    return memberOf(await client.post(this.path, this.body(n, overrides)), 201);
  }

  target({ id }: { readonly id: string }): string {
    return `${this.path}/${id}`;
  }

  async find(id: string): Promise<Member> {
    return memberOf(await admin.get(this.target({ id })));
  }

  /** Creates members sequentially, for the duration of the work. */
  async with<T>(count: number, work: (own: OwnMembers) => Promise<T>): Promise<T> {
    const word = freshColor();
    const field = this.spec.filters.find((name) => isWord(this.spec.fields[name], word.length));
    const overrides = field === undefined ? {} : { [field]: word };
    const members: Member[] = [];
    try {
      for (let n = 0; n < count; n += 1) members.push(await this.create(n, overrides));
      return await work({ query: field === undefined ? '' : `${field}=${word}&`, members });
    } finally {
      await Promise.all(members.map((member) => admin.delete(this.target(member))));
    }
  }

  async page(query: string, client: HttpClient = admin): Promise<Page> {
    const answer = await client.get(`${this.path}?${query}`);
    expectStatus(answer, 200);
    return answer.json() as Page;
  }

  rows(page: Page): Member[] {
    return page[this.name] as Member[];
  }

  async total(query: string): Promise<number> {
    return (await this.page(`${query}per_page=1`)).total ?? NaN;
  }

  /** All members of a walk. @param between writes of others between two pages. */
  async walk(query: string, between?: BetweenPages): Promise<Member[]> {
    const pages = await pagesOf((asked) => this.page(asked), query, between);
    return pages.flatMap((page) => this.rows(page));
  }
}

export function memberOf(answer: Answer, status = 200): Member {
  expectStatus(answer, status);
  return answer.json() as Member;
}
