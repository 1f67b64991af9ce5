/** The local storage key of the selected theme. public/theme-boot.js reads it before the first paint. */
export const THEME_KEY = 'theme';

/**
 * Switches between the light and dark theme, and saves the choice. It notifies the theme provider with a storage event,
 * as another tab would, because the provider's own hook would load code that the first page doesn't need.
 */
export function toggleTheme(): void {
  const isDark = document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark';
  const newValue = isDark ? 'light' : 'dark';
  localStorage.setItem(THEME_KEY, newValue);
  window.dispatchEvent(new StorageEvent('storage', { key: THEME_KEY, newValue, storageArea: localStorage }));
}
