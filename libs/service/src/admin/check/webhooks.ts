import { SecretBox, UnknownKeyError } from '../../webhooks/definition/secret-box.js';
import type { CheckedDatabase } from './checked-database.js';
import { formatCount, failure, type Finding, formatDuration, ok, warning } from './finding.js';

const WEBHOOKS = `SELECT w.id, w.disabled, w.disabled_reason AS reason, s.failing_since AS since
  FROM webhooks w LEFT JOIN webhook_states s ON s.webhook_id = w.id ORDER BY w.id`;
const SECRETS = 'SELECT webhook_id AS id, secret FROM webhook_secrets';
const SHOWN = 5;

/** Finds webhooks that fail, were disabled for failing, or have a secret that no key decrypts. */
export async function checkWebhooks(database: CheckedDatabase): Promise<Finding> {
  const { query, nowMs } = database;
  const locked = await withoutKey(database);
  if (locked.length > 0)
    return failure(
      `WEBHOOK_KEY lacks the key of ${shown(locked)}: they receive nothing`,
      'Add the former key to WEBHOOK_KEY, or rotate their secrets.',
    );
  const webhooks = await query(WEBHOOKS);
  const disabled = webhooks.filter(({ reason }) => reason !== null).map(({ id }) => String(id));
  const failing = webhooks.filter(({ disabled: off, since }) => Number(off) === 0 && since !== null);
  const longest = Math.max(0, ...failing.map(({ since }) => nowMs - Number(since)));
  const advice = 'GET /webhooks/{id}/deliveries?status=failed shows the responses of the receiver.';
  if (failing.length > 0)
    return warning(`${shown(failing.map(({ id }) => String(id)))} fail, up to ${formatDuration(longest)} long`, advice);
  if (disabled.length > 0)
    return warning(`the service has disabled ${shown(disabled)}`, `${advice} Enable it again, or delete it.`);
  return ok(webhooks.length === 0 ? 'there are none' : `${formatCount(webhooks.length, 'webhook')}, none fails`);
}

async function withoutKey({ config, settings, query }: CheckedDatabase): Promise<string[]> {
  const stored = settings.find(({ name }) => name === 'webhook_key');
  const keys = config.webhooks.keys.length > 0 ? config.webhooks.keys : stored === undefined ? [] : [stored.value];
  const box = new SecretBox(keys);
  const locked = (await query(SECRETS)).filter(({ id, secret }) => {
    try {
      box.open(String(secret), String(id));
      return false;
    } catch (error) {
      return error instanceof UnknownKeyError;
    }
  });
  return [...new Set(locked.map(({ id }) => String(id)))];
}

function shown(ids: readonly string[]): string {
  const more = ids.length > SHOWN ? ` and ${String(ids.length - SHOWN)} more` : '';
  return `${ids.length === 1 ? 'the webhook' : 'the webhooks'} ${ids.slice(0, SHOWN).join(', ')}${more}`;
}
