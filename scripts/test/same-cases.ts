// Each run of `npm test` uses the same random cases. Otherwise, a rare failure would affect the next person who runs
// the tests instead of its author. `npm run torture` and SEED=0 use different cases each time, and `npm run torture`
// uses many more. SEED=<number> repeats a run.
import fc from 'fast-check';

const SEED = 20_261_126;
const seed = Number(process.env['SEED'] ?? (process.env['TORTURE'] === undefined ? SEED : 0));
if (seed !== 0) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
