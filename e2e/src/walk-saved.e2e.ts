import { journey } from './journey.ts';
import { OTHERS, SALES, stopsIn, walk, walkWidths } from './walk.ts';

journey(
  'each saved form in billing and customers is steady, readable, accessible, and large enough for a finger',
  (stage) => walk(stage, stopsIn('edits', SALES)),
);

journey(
  'each saved form on the other screens is steady, readable, accessible, and large enough for a finger',
  (stage) => walk(stage, stopsIn('edits', OTHERS)),
);

journey('each report and each form with an edited line is readable and accessible at each width', walkWidths);
