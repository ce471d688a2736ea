import { projectConfig } from '../../jest.preset.js';

export default { ...projectConfig('api'), setupFiles: ['<rootDir>/src/process/known-warnings.ts'] };
