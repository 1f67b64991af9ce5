import { journey } from './journey.ts';
import { screenStops, walk } from './walk.ts';

// Promise (browser): axe finds no violations on any screen or dialog, in both themes and at three widths. [0
// violations]
// Promise (browser): No value on any screen is cut, covered, or wrapped within a number, and no page scrolls sideways,
// at any width. [203 states, 11 widths by turns, 9,999,999.99]
journey('each screen is steady, readable, accessible, and large enough for a finger', (stage) =>
  walk(stage, screenStops),
);
