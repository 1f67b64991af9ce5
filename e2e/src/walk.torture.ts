import { journey } from './journey.ts';
import { OTHERS, SALES, screenStops, stopsIn, walkEveryWidth } from './walk.ts';

journey('each screen is readable at each of 10 widths, in both themes', (stage) => walkEveryWidth(stage, screenStops));

for (const part of ['shows', 'makes', 'edits'] as const) {
  for (const [area, path] of [
    ['billing and customers', SALES],
    ['the other screens', OTHERS],
  ] as const) {
    journey(`everything that ${area} opens (${part}) is readable at each of 10 widths, in both themes`, (stage) =>
      walkEveryWidth(stage, stopsIn(part, path)),
    );
  }
}
