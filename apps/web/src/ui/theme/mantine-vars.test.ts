import { convertCssVariables, defaultCssVariablesResolver, DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { expect, it } from 'vitest';
import { cssVariablesResolver, theme } from './theme.ts';

/** Variables that the app doesn't use: headings and text, media queries, and colors by number or name. */
const UNUSED = /^--mantine-(breakpoint-|line-height-|h\d-|heading-|primary-color-(\d|contrast)|color-dark-[a-z])/;

/**
 * Returns the variables that MantineProvider would write into a style element. They are in a file, because the
 * Content-Security-Policy allows only the app's own style sheets. After you change the theme, run `npx vitest run -u`
 * on this file.
 */
function compiledVariables(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const base = defaultCssVariablesResolver(merged);
  const own = cssVariablesResolver(merged);
  const css = convertCssVariables({
    variables: { ...base.variables, ...own.variables },
    light: { ...base.light, ...own.light },
    dark: { ...base.dark, ...own.dark },
  });
  // The Mantine colors that Evenkeel doesn't use.
  const foreign = Object.keys(DEFAULT_THEME.colors).filter((name) => !(name in (theme.colors ?? {})));
  const isForeign = new RegExp(`^--mantine-color-(${foreign.join('|')})-`);
  const lines = css.replace(/[;{}]\s*/g, (mark) => (mark.startsWith('{') ? ' {\n' : `${mark.trim()}\n`));
  const kept = lines.split('\n').filter((line) => !isForeign.test(line.trim()) && !UNUSED.test(line.trim()));
  return `/* Compiled from theme.ts by mantine-vars.test.ts. */\n${kept.join('\n')}`;
}

it('mantine-vars.css matches the compiled theme', async () => {
  await expect(compiledVariables()).toMatchFileSnapshot('./mantine-vars.css');
});
