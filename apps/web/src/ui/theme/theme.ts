import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** Converts the color steps in tokens.css to Mantine tuples, index 0 to 9. */
const tuple = (steps: string): MantineColorsTuple => {
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = '', j = ''] = steps.split(' ');
  return [a, b, c, d, e, f, g, h, i, j];
};

const colors = {
  keel: tuple('#eef6fa #d8ebf3 #b2d8e8 #84c1da #4fa5c6 #2a89ae #177194 #0e5d7d #0b4b66 #08384d'),
  gray: tuple('#ffffff #f5f7f8 #edf0f2 #e1e6e9 #ccd3d8 #818d96 #5c6871 #414c54 #272f35 #12181c'),
  dark: tuple('#e8edf0 #b7c2c9 #95a2ab #6b7983 #37434b #29333a #20292f #1a2127 #151b1f #0e1316'),
};

/**
 * Evenkeel's Mantine theme. Overlays never lock scrolling: the page itself doesn't scroll, and the lock would inject a
 * style element, which the Content-Security-Policy blocks.
 */
export const theme = createTheme({
  primaryColor: 'keel',
  primaryShade: { light: 7, dark: 6 },
  colors,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '1.5rem' },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.75rem' },
      h2: { fontSize: '1.125rem', lineHeight: '1.5rem' },
      h3: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    },
  },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  shadows: { sm: 'var(--sh-1)', md: 'var(--sh-2)', xl: 'var(--sh-3)' },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 34 } },
    Modal: { defaultProps: { lockScroll: false, centered: true, radius: 'lg' } },
    ModalRoot: { defaultProps: { lockScroll: false } },
    Drawer: { defaultProps: { lockScroll: false } },
    DrawerRoot: { defaultProps: { lockScroll: false } },
    Popover: { defaultProps: { radius: 'md', shadow: 'md' } },
    Menu: { defaultProps: { radius: 'md', shadow: 'md' } },
    SegmentedControl: { defaultProps: { size: 'sm' } },
  },
});

/** Maps Mantine's variables to the tokens. Compiled to mantine-vars.css (see mantine-vars.test.ts). */
export const cssVariablesResolver: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-bright': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-3)',
    '--mantine-color-placeholder': 'var(--text-3)',
    '--mantine-color-anchor': 'var(--brand-text)',
    '--mantine-color-error': 'var(--bad-text)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--line-2)',
    '--mantine-primary-color-filled': 'var(--brand)',
    '--mantine-primary-color-filled-hover': 'var(--brand-hover)',
    '--mantine-primary-color-light': 'var(--brand-soft)',
    '--mantine-primary-color-light-hover': 'var(--brand-soft-2)',
    '--mantine-primary-color-light-color': 'var(--brand-text)',
    '--mantine-color-keel-filled': 'var(--brand)',
    '--mantine-color-keel-filled-hover': 'var(--brand-hover)',
    '--mantine-color-keel-light': 'var(--brand-soft)',
    '--mantine-color-keel-light-hover': 'var(--brand-soft-2)',
    '--mantine-color-keel-light-color': 'var(--brand-text)',
    '--mantine-color-disabled': 'var(--pressed)',
    '--mantine-color-disabled-color': 'var(--text-off)',
    '--mantine-color-disabled-border': 'var(--line)',
  };
  return { variables: {}, light: shared, dark: shared };
};
