import type { TestProject } from 'vitest/node';
import { findTool } from '../../scripts/test/tools.ts';
import { startEvenkeel } from './evenkeel.ts';

/** The environment for every journey: the running Evenkeel and the browser's path, or the reason why there is none. */
export type Ground = { missing: string } | { missing?: never; url: string; dataDir: string; browser: string };

declare module 'vitest' {
  interface ProvidedContext {
    journeys: Ground;
  }
}

/** Starts one Evenkeel process for the whole run. Each journey has its own company and browser profile. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const tool = findTool('chromium');
  if (tool.missing !== undefined) {
    project.provide('journeys', { missing: tool.missing });
    return async () => undefined;
  }
  const running = await startEvenkeel();
  project.provide('journeys', { url: running.url, dataDir: running.dataDir, browser: tool.path });
  return () => running.stop();
}
