import type { StoreLog } from '../../data/outages/store-log.js';
import { Logger } from '@nestjs/common';

export function nestLog(context: string): StoreLog {
  const logger = new Logger(context);
  const logAs =
    (level: 'log' | 'warn' | 'error') =>
    (fields: object, message: string): void => {
      logger[level](textOf(fields, message));
    };
  return { info: logAs('log'), warn: logAs('warn'), error: logAs('error') };
}

function textOf(fields: object, message: string): string {
  return Object.keys(fields).length === 0 ? message : `${message} ${JSON.stringify(fields)}`;
}
