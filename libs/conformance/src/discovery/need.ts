/** What a check counts on. Discovery finds out which of them a service has, and why it lacks the others. */
export type Need =
  | 'items.write'
  | 'envelope'
  | 'name.text'
  | 'credential'
  | 'loopback'
  | 'read-only'
  | 'offset'
  | 'cursor'
  | 'color'
  | 'price'
  | 'users'
  | 'orders'
  | 'keys'
  | 'sessions';
