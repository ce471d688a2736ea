import { section1 } from './section-1.testing.js';
import { section2 } from './section-2.testing.js';
import { endpoints } from './section-4-endpoints.testing.js';
import { rules } from './section-4-rules.testing.js';
import { lists } from './section-4-lists.testing.js';
import { cursors } from './section-4-cursors.testing.js';
import { walks } from './section-4-walks.testing.js';
import { section5 } from './section-5.testing.js';
import { section7 } from './section-7.testing.js';
import { section8 } from './section-8.testing.js';
import type { WrongService } from './wrong-service.testing.js';

/** Each check fails for at least one of these. */
export const wrongServices: readonly WrongService[] = [
  ...section1,
  ...section2,
  ...endpoints,
  ...rules,
  ...lists,
  ...cursors,
  ...walks,
  ...section5,
  ...section7,
  ...section8,
];
