export { type Check } from './check.js';
export { checksOf, type Profile } from './checks/all-checks.js';
export { type Judgement, type Result } from './judgement.js';
export { judge, type Options } from './run.js';
export { textReport } from './report/text.js';
export { CannotJudge } from './verdict.js';
