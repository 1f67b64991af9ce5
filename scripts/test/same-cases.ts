// Each run of `npm test` tries the same random cases: a rare failure would else meet whoever runs it next, not whoever
// made it. `npm run torture` tries others, many more, each time; so does SEED=0. SEED=<number> plays a run again.
import fc from 'fast-check';

const SEED = 20_261_126;
const seed = Number(process.env['SEED'] ?? (process.env['TORTURE'] === undefined ? SEED : 0));
if (seed !== 0) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
