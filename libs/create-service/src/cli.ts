#!/usr/bin/env node
import { createService, CreateServiceError } from './create-service.js';

const [folder] = process.argv.slice(2);
if (folder === undefined || folder.startsWith('-')) {
  process.stderr.write('Usage: npm create @items/service <folder>\n');
  process.exitCode = 2;
} else {
  try {
    const files = createService(folder);
    process.stdout.write(`Created ${folder} with ${files.join(', ')}.

Next:
  cd ${folder}
  npm install
  npm test
  npm start
`);
  } catch (error) {
    if (!(error instanceof CreateServiceError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
