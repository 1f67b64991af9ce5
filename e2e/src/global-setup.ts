import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { findTool } from '../../scripts/tools.ts';
import { browserFlags } from './browser-flags.ts';
import { startEvenkeel } from './evenkeel.ts';

/** The ground of every journey: the running Evenkeel and the browser, or the reason why there is none. */
export type Ground = { missing: string } | { missing?: never; url: string; dataDir: string; browser: string };

declare module 'vitest' {
  interface ProvidedContext {
    journeys: Ground;
  }
}

/** One Evenkeel and one browser for the whole run; each journey has its own company and its own browser profile. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const tool = findTool('chromium');
  if (tool.missing !== undefined) {
    project.provide('journeys', { missing: tool.missing });
    return async () => undefined;
  }
  const [running, browser] = await Promise.all([
    startEvenkeel(),
    chromium.launchServer({ executablePath: tool.path, args: browserFlags }),
  ]);
  project.provide('journeys', { url: running.url, dataDir: running.dataDir, browser: browser.wsEndpoint() });
  return async () => {
    await browser.close();
    await running.stop();
  };
}
