import { journey } from './journey.ts';
import { OTHERS, SALES, stopsIn, walk } from './walk.ts';

// Promise (browser): On a phone, every control on lists, panels, and forms is at least 44 px high and wide. [189 pages]
journey(
  'each tab and panel in billing and customers is steady, readable, accessible, and large enough for a finger',
  (stage) => walk(stage, stopsIn('shows', SALES)),
);

journey(
  'each tab and panel on the other screens is steady, readable, accessible, and large enough for a finger',
  (stage) => walk(stage, stopsIn('shows', OTHERS)),
);
