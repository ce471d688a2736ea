import type { AuditEvent } from '@items/client';
import { infiniteQueryOptions } from '@items/client/react-query';

import { useConsole } from './context';
import { EndlessList } from './endless-list';
import { timeText } from './orders';

/** Who changed what, newest first. For administrators. */
export function AuditView() {
  const { client } = useConsole();
  return (
    <EndlessList
      label="Changes"
      options={infiniteQueryOptions('audit-events', { page: client.auditEvents.list }, { sort: '-timestamp' as const })}
      rowsOf={(page) => page.audit_events}
    >
      {(event) => (
        <span className="what">
          <strong>{event.type}</strong> {event.object.id} by {actorOf(event)}{' '}
          <time dateTime={event.timestamp}>{timeText(event.timestamp)}</time>
          {event.changed.length > 0 && `: ${event.changed.join(', ')}`}
        </span>
      )}
    </EndlessList>
  );
}

function actorOf({ actor }: AuditEvent): string {
  return actor.user_id ?? actor.credential_id ?? actor.client_id ?? actor.type;
}
