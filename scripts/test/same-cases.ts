// Each run of `npm test` uses the same random cases. Otherwise, a rare failure would affect whoever runs the tests next
// instead of its author. `npm run torture` uses many more, different ones each time, as does SEED=0. SEED=<number>
// repeats a run.
import fc from 'fast-check';

const SEED = 20_261_126;
const seed = Number(process.env['SEED'] ?? (process.env['TORTURE'] === undefined ? SEED : 0));
if (seed !== 0) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
