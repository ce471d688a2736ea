import type { AuditEvent } from '@items/client';
import { infiniteQueryOptions } from '@items/client/react-query';

import { useConsole } from './context';
import { EndlessList } from './endless-list';
import { timeText } from './orders';

/** Who changed what, newest first. For administrators. */
export function AuditView() {
  const { client, me } = useConsole();
  return (
    <EndlessList
      label="Changes"
      options={infiniteQueryOptions('audit-events', { page: client.auditEvents.list }, { sort: '-timestamp' as const })}
      rowsOf={(page) => page.audit_events}
    >
      {(event) => (
        <span className="what">
          <strong>{event.type}</strong>
          {event.changed.length > 0 && `: ${event.changed.join(', ')}`}
          <br />
          <time dateTime={event.timestamp}>{timeText(event.timestamp)}</time>, by {actorOf(event, me?.id)}
          <br />
          <small>{event.object.id}</small>
        </span>
      )}
    </EndlessList>
  );
}

function actorOf({ actor }: AuditEvent, me: string | undefined): string {
  if (me !== undefined && actor.user_id === me) return 'you';
  return actor.user_id ?? actor.credential_id ?? actor.client_id ?? actor.type;
}
