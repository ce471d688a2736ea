import type { ListResponse } from '../../data/lists/list-page.js';
import { ALL_PARENTS } from '../../data/definition/parent-keys.js';
import type { Precondition } from '../../data/collections/write-options.js';
import { ROTATED, UNRECORDED } from '../../data/definition/change-recorder.js';
import type { Tagged } from '../../data/collections/tagged.js';
import type { CreatedWebhook, Webhook } from '@items/dtos/contract';
import { ConflictError, type MaybePromise, ValidationError } from '@items/conventions';
import type { CreateWebhookDto, ReplaceWebhookDto, RotationDto } from '@items/dtos';
import { positionAfter } from '../../feed/event-id.js';
import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import type { ListRequest } from '@items/paging';
import { Database, type Transaction } from '../../data/database/database.js';
import { lockByRow } from '../../data/database/settings.js';
import type { IdempotentCreation, RepeatableRequest } from '../../data/idempotency/idempotency.js';
import { addState, beginAt, lockState, removeState } from '../definition/webhook-state.js';
import { Dispatcher } from '../dispatch/dispatcher.js';
import { makeWebhookSecret, webhookSecrets } from '../definition/webhook-secrets.js';
import { endPending } from '../deliveries/delivery-rows.js';
import { CreatorReachError, readsAllOf } from '../definition/creator-reach.js';
import { SecretBox } from '../definition/secret-box.js';
import { unknownPatterns } from '../definition/event-selection.js';
import { WebhookSender } from '../sending/webhook-sender.js';
import { WebhookUrlError } from '../sending/check-url.js';
import { Inject, Injectable } from '@nestjs/common';

import { CONFIG, type Config } from '../../runtime/config/config.js';
import { withSecret } from '../../access/credentials/secrets/rotating-secrets.js';
import type { ChangeSource } from '../../access/principal/request-principal.js';
import { Permissions } from '../../access/principal/permissions.js';
import type { Principal } from '../../access/principal/principal.js';
import { deliveryCollection } from './delivery.collection.js';
import { creatorOf, creatorRights, WEBHOOK_OPTIONS, type WebhookOptions } from './creator-rights.js';
import { webhookCollection } from './webhook.collection.js';

const PATH = '/webhooks';
const MAX_WEBHOOKS = 20;

type Created = IdempotentCreation<CreatedWebhook>;

export function tooManyWebhooks(): ConflictError {
  const message = `There are already ${String(MAX_WEBHOOKS)} webhooks, the maximum: delete one first.`;
  return new ConflictError('too_many_webhooks', message);
}

/** Operations on webhooks. SPEC §6.2 */
@Injectable()
export class WebhooksService {
  constructor(
    @InjectCollection(webhookCollection) private readonly webhooks: CollectionOf<typeof webhookCollection>,
    @InjectCollection(deliveryCollection) private readonly deliveries: CollectionOf<typeof deliveryCollection>,
    private readonly database: Database,
    private readonly dispatcher: Dispatcher,
    private readonly sender: WebhookSender,
    private readonly box: SecretBox,
    @Inject(WEBHOOK_OPTIONS) private readonly options: WebhookOptions,
    private readonly permissions: Permissions,
    @Inject(CONFIG) private readonly config: Pick<Config, 'oauthIssuers'>,
  ) {}

  list(request: ListRequest, path: string): MaybePromise<ListResponse<Webhook>> {
    return this.webhooks.list(request, path);
  }

  get(id: string): MaybePromise<Tagged<Webhook>> {
    return this.webhooks.get(id);
  }

  /**
   * The webhook receives only later events. Only this response contains the secret.
   * @param apiVersion version of the webhook's events.
   * @throws {ValidationError} 422
   * @throws {WebhookUrlError} 422
   * @throws {ConflictError} 409: too many webhooks; or a repeated request, because the secret is not stored.
   */
  async create(
    creator: Principal,
    input: CreateWebhookDto,
    apiVersion: string,
    repeatable: RepeatableRequest | undefined,
    source: ChangeSource,
  ): Promise<Created> {
    await this.checkInput(input);
    const now = Date.now();
    const fields = { ...creatorOf(creator), api_version: apiVersion, secrets: webhookSecrets.first(now) };
    const created = await withSecret(this.webhooks, { path: PATH, repeatable, origin: source }, async (tx) => {
      await this.requireRoom(tx);
      const made = await this.webhooks.insert(tx, input, fields);
      const { id } = made.resource;
      const secret = makeWebhookSecret();
      await webhookSecrets.add(tx, id, this.box.close(secret, id), now);
      await addState(tx, id, await this.positionOf(tx, id));
      return [made, { secret }];
    });
    this.dispatcher.wake();
    return created;
  }

  /**
   * Replaces the secret. The previous one also signs during the grace period.
   * @throws {ResourceNotFoundError} 404
   * @throws {ConflictError} 409: a repeated request.
   */
  async rotate(
    id: string,
    { grace_seconds: graceSeconds }: RotationDto,
    repeatable: RepeatableRequest | undefined,
    source: ChangeSource,
  ): Promise<Created> {
    const rotated = await withSecret(this.webhooks, { path: PATH, repeatable, origin: source }, async (tx) => {
      // Lock the webhook first, so that concurrent rotations run sequentially.
      await this.webhooks.lockAndUpdate(tx, id, () => ({}), ALL_PARENTS, UNRECORDED);
      const secret = makeWebhookSecret();
      await webhookSecrets.replace(tx, id, this.box.close(secret, id), graceSeconds);
      const secrets = await webhookSecrets.shown(tx, id);
      return [await this.webhooks.update(tx, id, { secrets }, undefined, ALL_PARENTS, ROTATED), { secret }];
    });
    this.dispatcher.wake();
    return rotated;
  }

  /**
   * A webhook that is enabled again receives only later events.
   * @throws {ValidationError} 422
   * @throws {WebhookUrlError} 422
   * @throws {ResourceNotFoundError} 404
   * @throws {PreconditionFailedError} 412
   * @throws {CreatorReachError} 403: the URL changes, and the caller may read fewer events than the webhook receives.
   */
  async replace(
    caller: Principal,
    id: string,
    input: ReplaceWebhookDto,
    precondition: Precondition,
    source: ChangeSource,
  ): Promise<Tagged<Webhook>> {
    await this.checkInput(input);
    await this.webhooks.get(id);
    const { kinds, visibilityOf } = this.options;
    const rights = await creatorRights(this.database, this.permissions, visibilityOf, this.config.oauthIssuers);
    const mayChangeUrl = readsAllOf(visibilityOf(caller), rights.get(id), kinds);
    const replace = async (tx: Transaction): Promise<Tagged<Webhook>> => {
      // Lock the state first, like the dispatcher, to avoid deadlocks.
      await lockState(this.database, tx, id);
      const [before] = await tx.query<{ disabled: number }>('SELECT disabled FROM webhooks WHERE id = $1', [id]);
      const wasDisabled = before?.disabled === 1;
      const tagged = await this.webhooks.lockAndUpdate(tx, id, ({ disabled_reason: former, url: formerUrl }, etag) => {
        precondition?.(etag);
        if (input.url !== formerUrl && !mayChangeUrl) throw new CreatorReachError();
        const { url, events, description, disabled = wasDisabled } = input;
        const kept = disabled ? { disabled_reason: former } : { disabled_reason: null, failing_since: null };
        return { url, events, description, disabled, ...(disabled === wasDisabled ? {} : kept) };
      });
      const { disabled } = tagged.resource;
      if (wasDisabled !== disabled) await endPending(tx, this.deliveries, id);
      if (wasDisabled && !disabled) await beginAt(tx, id, await this.positionOf(tx, id));
      return tagged;
    };
    const replaced = await this.webhooks.transaction(replace, { origin: source });
    this.dispatcher.wake();
    return replaced;
  }

  /**
   * Deletes a webhook. No attempt begins more than 5 s later.
   * @throws {ResourceNotFoundError} 404
   * @throws {PreconditionFailedError} 412
   */
  async remove(id: string, precondition: Precondition, source: ChangeSource): Promise<void> {
    await this.webhooks.get(id);
    const remove = async (tx: Transaction): Promise<void> => {
      await lockState(this.database, tx, id);
      await this.webhooks.delete(tx, id, precondition);
      await removeState(tx, id);
    };
    await this.webhooks.transaction(remove, { origin: source });
    this.dispatcher.wake();
  }

  private async checkInput({ url, events }: Pick<CreateWebhookDto, 'url' | 'events'>): Promise<void> {
    if (events.length === 0) {
      const message = '"events" must have at least 1.';
      throw new ValidationError([{ field: 'events', code: 'too_few', message, params: { min: 1 } }]);
    }
    const { kinds } = this.options;
    if (unknownPatterns(events, kinds).length > 0) {
      const subjects = new Set(kinds.map((kind) => kind.replace(/\..*/, '.*')));
      const values = [...kinds, ...subjects, '*'];
      const message = `"events" must hold only ${values.join(', ')}.`;
      throw new ValidationError([{ field: 'events', code: 'not_allowed', message, params: { values } }]);
    }
    const refusal = await this.sender.checkUrl(url);
    if (refusal !== undefined) throw new WebhookUrlError(refusal);
  }

  /** Takes a lock, so that concurrent creations are counted sequentially. */
  private async requireRoom(tx: Transaction): Promise<void> {
    await lockByRow(tx, 'webhooks');
    const [row] = await tx.query<{ n: number }>('SELECT count(*) AS n FROM webhooks');
    if (Number(row?.n) >= MAX_WEBHOOKS) throw tooManyWebhooks();
  }

  /** Position of the webhook's last write. All later events follow this position. */
  private async positionOf(tx: Transaction, id: string): Promise<string> {
    const [row] = await tx.query<{ seq: number }>('SELECT seq FROM webhooks WHERE id = $1', [id]);
    return positionAfter(row?.seq ?? 0);
  }
}
