/**
 * Features that checks need. Discovery records which of them a service has, and why the others are
 * missing.
 */
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
