import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CreatedWebhook, Delivery, Webhook, WebhookInput } from '@items/client';
import { infiniteQueryOptions, keysOf } from '@items/client/react-query';

import { useConsole } from './context';
import { Dialog, SecretDialog } from './dialog';
import { EndlessList } from './endless-list';
import { EXACT, Field, Form } from './form';
import { timeText } from './orders';

export function WebhooksView() {
  const { client, say } = useConsole();
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string | undefined>();
  const [shown, setShown] = useState<Webhook | undefined>();
  const webhooks = client.collection<Webhook, WebhookInput, 'webhooks'>('webhooks');
  const reload = () => queries.invalidateQueries({ queryKey: keysOf('webhooks').all });
  const remove = useMutation({
    mutationFn: (webhook: Webhook) => webhooks.delete(webhook.id),
    onSuccess: () => say('The webhook is deleted, and is sent nothing more.'),
    onError: (error) => say(error),
    onSettled: reload,
  });

  return (
    <>
      <Form
        label="New webhook"
        submit="Create webhook"
        isEmptied
        onSubmit={async ({ url = '', events = '' }) => {
          const made = await webhooks.create({ url, events: events.split(/[\s,]+/).filter(Boolean) });
          setSecret((made as CreatedWebhook).secret);
          await reload();
        }}
      >
        {(errors) => (
          <>
            <Field label="URL" name="url" type="url" {...EXACT} error={errors['url']} />
            <Field label="Events" name="events" defaultValue="item.*" {...EXACT} error={errors['events']} />
          </>
        )}
      </Form>
      <EndlessList
        label="Webhooks"
        options={infiniteQueryOptions('webhooks', webhooks, {})}
        rowsOf={(page) => page.webhooks}
      >
        {(webhook) => (
          <>
            <span className="what">
              <strong>{webhook.url}</strong> {webhook.events.join(' ')}
              {webhook.disabled && ` – disabled (${webhook.disabled_reason ?? 'by hand'})`}
            </span>
            <span className="actions">
              <button onClick={() => setShown(webhook)}>
                Deliveries<span className="hidden"> to {webhook.url}</span>
              </button>
              <button onClick={() => confirm(`Delete the webhook to ${webhook.url}?`) && remove.mutate(webhook)}>
                Delete<span className="hidden"> {webhook.url}</span>
              </button>
            </span>
          </>
        )}
      </EndlessList>
      {shown !== undefined && <Deliveries webhook={shown} onClose={() => setShown(undefined)} />}
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function Deliveries({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const { client } = useConsole();
  const path = ['webhooks', webhook.id, 'deliveries'];
  const deliveries = client.collection<Delivery, never, 'deliveries'>(path.join('/'));
  return (
    <Dialog title={`Deliveries to ${webhook.url}`} onClose={onClose}>
      <EndlessList
        label="Deliveries"
        options={infiniteQueryOptions(path, deliveries, {})}
        rowsOf={(page) => page.deliveries}
      >
        {(delivery) => (
          <span className="what">
            <strong>{delivery.status}</strong> {delivery.type} {timeText(delivery.created_at)}, attempts:{' '}
            {delivery.attempts.map(({ status_code: code, error }) => code ?? error).join(', ') || 'none yet'}
          </span>
        )}
      </EndlessList>
    </Dialog>
  );
}
