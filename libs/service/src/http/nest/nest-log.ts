import type { StoreLog } from '../../data/outages/store-log.js';
import { Logger } from '@nestjs/common';

export function nestLog(context: string): StoreLog {
  const logger = new Logger(context);
  return {
    info: (fields, message) => {
      logger.log(textOf(fields, message));
    },
    warn: (fields, message) => {
      logger.warn(textOf(fields, message));
    },
    error: (fields, message) => {
      logger.error(textOf(fields, message));
    },
  };
}

function textOf(fields: object, message: string): string {
  return Object.keys(fields).length === 0 ? message : `${message} ${JSON.stringify(fields)}`;
}
