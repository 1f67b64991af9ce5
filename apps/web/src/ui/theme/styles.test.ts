import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BREAKPOINTS } from '../hooks/media.ts';

const source = join(import.meta.dirname, '../..');
const styles = join(createRequire(import.meta.url).resolve('@mantine/core/styles.layer.css'), '../styles');
const read = (file: string): string => readFileSync(join(source, file), 'utf8');

it('the styles of every Mantine component in use are loaded', () => {
  const all = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const files = all.filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'));
  const imported = files.flatMap((file) => [...read(file).matchAll(/import \{([^}]+)\} from '@mantine\/core'/g)]);
  const names = new Set(imported.flatMap(([, list = '']) => list.split(',').map((name) => name.trim())));
  const brought = ['ThemeProvider.tsx', 'fieldStyles.ts', 'overlayStyles.ts'].map((file) => read(`ui/theme/${file}`));
  const missing = [...names].filter(
    (name) =>
      existsSync(join(styles, `${name}.layer.css`)) &&
      !brought.some((text) => text.includes(`styles/${name}.layer.css`)),
  );
  expect(names.size).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

it('every window width in a style sheet is a breakpoint in the shared list', () => {
  const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  const widths = sheets.flatMap((file) => {
    const queries = read(file).matchAll(/@media[^{]*\{/g);
    return [...queries].flatMap(([query]) => [...query.matchAll(/width\W+([\d.]+)px/g)].map(([, px]) => Number(px)));
  });
  const known: readonly number[] = Object.values(BREAKPOINTS);
  expect(widths.length).toBeGreaterThan(20);
  expect(widths.filter((px) => !known.includes(px) && !known.includes(Math.round((px + 0.02) * 100) / 100))).toEqual(
    [],
  );
});
