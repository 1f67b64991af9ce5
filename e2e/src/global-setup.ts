import type { TestProject } from 'vitest/node';
import { startFakeStripe } from '../../apps/server/src/testing/fake-stripe.ts';
import { findTool } from '../../scripts/test/tools.ts';
import { startEvenkeel } from './evenkeel.ts';

/** The running fake Stripe, which the running Evenkeel uses. */
export interface StripePlace {
  url: string;
  key: string;
}

/**
 * The environment for every journey: the running Evenkeel, its Stripe, and the browser's path, or the reason why the
 * browser is missing.
 */
export type Ground =
  | { missing: string }
  | { missing?: never; url: string; dataDir: string; browser: string; stripe: StripePlace };

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
  const stripe = await startFakeStripe();
  const running = await startEvenkeel({ STRIPE_API_URL: stripe.url });
  project.provide('journeys', {
    url: running.url,
    dataDir: running.dataDir,
    browser: tool.path,
    stripe: { url: stripe.url, key: stripe.key },
  });
  return async () => {
    await running.stop();
    await stripe.close();
  };
}
