/**
 * Nothing but the pages under test, and no traffic of the browser's own. Pages live for seconds here: code is compiled
 * once and fast (Maglev) and not once more for the long run, and drawing and network need no processes of their own.
 */
export const browserFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--js-flags=--no-turbofan --min-semi-space-size=32 --max-semi-space-size=64',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
