import { projectConfig } from '../../jest.preset.js';

export default {
  ...projectConfig('api'),
  // Jest measures coverage only inside the root of a project. These tests also cover the libs.
  rootDir: '../..',
  roots: ['<rootDir>/apps/api'],
};
