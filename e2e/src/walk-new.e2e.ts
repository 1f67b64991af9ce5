import { journey } from './journey.ts';
import { OTHERS, SALES, stopsIn, walk } from './walk.ts';

journey(
  'each form for new records in billing and customers is steady, readable, accessible, and large enough for a finger',
  (stage) => walk(stage, stopsIn('makes', SALES)),
);

journey(
  'each form for new records on the other screens is steady, readable, accessible, and large enough for a finger',
  (stage) => walk(stage, stopsIn('makes', OTHERS)),
);
