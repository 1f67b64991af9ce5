import { inInstallation, installation } from '../../platform/db/tx.ts';
import type { Services } from '../../platform/http/context.ts';
import type { OpenCtx } from '../../platform/http/route.ts';
import { newSecret } from '../../platform/http/session.ts';
import { linkTo } from './letters.ts';
import * as tokens from './tokens.sql.ts';

/**
 * Returns a one-time link for registering the first company and its administrator. Returns undefined if a company
 * already exists. Each start creates a new link and invalidates earlier links.
 */
export async function firstStartLink({ pool, config, log }: Services): Promise<string | undefined> {
  const [state] = await installation(pool, tokens.installationState());
  if (state?.empty !== true) return undefined;
  const secret = newSecret();
  await inInstallation(pool, async (run) => {
    await run(tokens.deleteFirstTokens());
    await run(tokens.insertToken('first', secret, null));
  });
  log.info('no company has been registered yet. Open the printed link');
  return linkTo(config, '/register', { token: secret });
}

/** Returns the settings that public pages need before anyone signs in. */
export async function describeInstallation({ services: { pool, config } }: OpenCtx) {
  const [state] = await installation(pool, tokens.installationState());
  const { signUp, passwordMin, chatWidgetUrl, maxUploadMb } = config;
  return {
    empty: state?.empty ?? false,
    demo: state?.demo ?? false,
    signUp,
    passwordMin,
    chatWidgetUrl: chatWidgetUrl ?? null,
    maxUploadMb,
  };
}
