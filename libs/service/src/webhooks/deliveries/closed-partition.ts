/** Function of the trigger that closes a partition. See `DeliveryPartitions`. */
export const CLOSED = 'refuse_expired_delivery';
/** SQLSTATE object_not_in_prerequisite_state, which this function raises. */
export const CLOSED_STATE = '55000';
