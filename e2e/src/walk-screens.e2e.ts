import { journey } from './journey.ts';
import { screenStops, walk } from './walk.ts';

// Promise (browser): axe finds no violations on any screen or dialog, in both themes and at three widths. [0
// violations]
// Promise (browser): On every screen and at every width, no value is cut off or covered, no number wraps, and no page
// scrolls sideways. [203 states, 11 widths in turn, 9,999,999.99]
journey('each screen is steady, readable, accessible, and large enough for a finger', (stage) =>
  walk(stage, screenStops),
);
