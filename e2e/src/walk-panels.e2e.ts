import { journey } from './journey.ts';
import { OTHERS, SALES, stopsIn, walk } from './walk.ts';

// Promise (browser): On a phone, every control of lists, panels, and forms is at least 44 px. [189 pages]
journey(
  'each tab and panel of billing and customers is steady, readable, accessible, and large enough for a finger',
  (stage) => walk(stage, stopsIn('shows', SALES)),
);

journey(
  'each tab and panel of the other screens is steady, readable, accessible, and large enough for a finger',
  (stage) => walk(stage, stopsIn('shows', OTHERS)),
);
