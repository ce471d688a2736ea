import type { Scope } from '@items/dtos/contract';
import { freshColor, type Answer, type HttpClient } from '@items/testing';

import { admin } from '../harness/clients.js';
import { expectStatus } from '../harness/reading.js';
import { createUser } from '../harness/users.js';
import { pagesOf, type BetweenPages } from '../harness/walk.js';
import { isWord, sampleOf, type FieldNotation } from './sample-fields.js';

/** What the rules need to know of a collection. */
export interface CollectionSpec {
  /** `/items`, or `/users/{user_id}/orders` for one that belongs to users. */
  readonly path: string;
  /** What POST and PUT accept, in the notation of the generator. */
  readonly fields: Readonly<Record<string, FieldNotation>>;
  readonly sortable: readonly string[];
  readonly filters: readonly string[];
  /** `item` of `item.created`; left out where it makes no events. */
  readonly events?: string;
}

/** A member of any collection. */
export type Member = Readonly<Record<string, unknown>> & { readonly id: string };

/** A page in either style. */
export type Page = Readonly<Record<string, unknown>> & { readonly total?: number; readonly next_cursor?: string };

/** Members that no other test sees in the same list. */
export interface OwnMembers {
  /** Narrows the list to them, if the collection has a filter for that; ends in `&` where it is not empty. */
  readonly query: string;
  readonly members: readonly Member[];
}

/** A collection as its rules use it: creates samples, lists and walks them. */
export class CollectionUnderTest {
  /** The list member of its pages. */
  readonly name: string;
  readonly read: Scope;
  readonly write: Scope;
  private parent = '';

  constructor(readonly spec: CollectionSpec) {
    const last = spec.path.split('/').at(-1) ?? '';
    this.name = last.replaceAll('-', '_');
    this.read = `${last}:read` as Scope;
    this.write = `${last}:write` as Scope;
  }

  /** Whether it belongs to users. */
  get isOwned(): boolean {
    return this.spec.path.includes('{user_id}');
  }

  /** Where it is found; for an owned collection that of a user made by {@link prepare}. */
  get path(): string {
    return this.spec.path.replace('{user_id}', this.parent);
  }

  /** The fields that must be given. */
  get required(): string[] {
    return Object.keys(this.spec.fields).filter((field) => this.spec.fields[field]?.endsWith('?') === false);
  }

  /** Makes the user to whom an owned collection belongs. */
  async prepare(): Promise<void> {
    if (this.isOwned) this.parent = (await createUser()).id;
  }

  /** A body that is accepted. */
  body(n = 0, overrides: object = {}): Record<string, unknown> {
    const samples = Object.entries(this.spec.fields).map(([field, kind]) => [field, sampleOf(kind, n)] as const);
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

  /** Makes members, one after the other, for as long as the work takes. */
  async with<T>(count: number, work: (own: OwnMembers) => Promise<T>): Promise<T> {
    const field = this.spec.filters.find((name) => isWord(this.spec.fields[name]));
    const word = freshColor();
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

  /** All members of a walk. @param between what others do between two pages. */
  async walk(query: string, between?: BetweenPages): Promise<Member[]> {
    const pages = await pagesOf((asked) => this.page(asked), query, between);
    return pages.flatMap((page) => this.rows(page));
  }
}

export function memberOf(answer: Answer, status = 200): Member {
  expectStatus(answer, status);
  return answer.json() as Member;
}
