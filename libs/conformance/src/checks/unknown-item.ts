import { type CheckContext } from '../context.js';
import { NotApplicable } from '../verdict.js';

/** The id of a deleted item has the form of this service. */
export function unknownItem(context: CheckContext): Promise<string> {
  return context.once('unknown item', async () => {
    try {
      const { items, service } = context;
      const item = await items.create();
      // A later item, so that a service which counts from its last row does not assign the id again.
      await items.create();
      await items.delete(item);
      // Another check reports a service that deletes nothing.
      if ((await service.get(item.path)).status !== 200) return item.path;
      return `${item.path}0000`;
    } catch (error) {
      if (error instanceof NotApplicable) return '/items/no-such-item';
      throw error;
    }
  });
}
