import type { Type } from '@nestjs/common';

import type { Composition } from '../composition/composition.js';
import { loadConfig } from '../../runtime/config/load-config.js';
import { readEnvironment } from '../../runtime/config/read-environment.js';
import { failStart } from './fail-start.js';

/**
 * Runs a service as the program of this process, with the settings of the environment, until a signal stops it.
 * @param composition loads the root module or the composition. Called after the settings were read, so that a wrong
 *   setting is reported first.
 */
export async function runService(composition: () => Promise<Composition | Type>): Promise<void> {
  try {
    const config = loadConfig(readEnvironment());
    const { serve } = await import('./serve.js');
    const { compositionOf } = await import('./composition-of.js');
    await serve(compositionOf(await composition()).composition, config);
  } catch (error) {
    failStart(error);
  }
}
