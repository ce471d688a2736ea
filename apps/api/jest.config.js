import { projectConfig } from '../../jest.preset.js';

export default {
  ...projectConfig('api'),
  // The coverage of a project is what lies in its root, and these tests are of the libs, too.
  rootDir: '../..',
  roots: ['<rootDir>/apps/api'],
};
