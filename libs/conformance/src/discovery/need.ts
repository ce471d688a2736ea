/** Discovery records which of these features a service has, and why the others are missing. */
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
