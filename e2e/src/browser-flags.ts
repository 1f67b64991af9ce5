/**
 * Flags that limit the browser to the tested pages and disable its background traffic. Because pages exist for only a
 * few seconds, code is compiled quickly by Maglev and never optimized again, and drawing and network access don't use
 * separate processes.
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
