import { inInstallation, installation } from '../db/tx.ts';
import type { Services } from '../http/context.ts';
import type { OpenCtx } from '../http/route.ts';
import { newSecret } from '../http/session.ts';
import { linkTo } from './letters.ts';
import * as tokens from './tokens.sql.ts';

/**
 * Without any company, whoever has this link registers company and administrator, once (decisions: "Operator's
 * interface"). Each start makes a new one; a link that was printed before is worth nothing.
 */
export async function offerFirstStart({ pool, config, log }: Services, say: (line: string) => void): Promise<void> {
  const [state] = await installation(pool, tokens.installationState());
  if (state?.empty !== true) return;
  const secret = newSecret();
  await inInstallation(pool, async (run) => {
    await run(tokens.deleteFirstTokens());
    await run(tokens.insertToken('first', secret, null));
  });
  const link = linkTo(config, '/register', { token: secret });
  log.info('there is no company yet: open the link that was printed');
  say(`There is no company yet. Register the first one here: ${link}`);
}

/** What the public pages show before anybody has signed in. */
export async function describeInstallation({ services: { pool, config } }: OpenCtx) {
  const [state] = await installation(pool, tokens.installationState());
  const { signUp, passwordMin, chatWidgetUrl } = config;
  return {
    empty: state?.empty ?? false,
    demo: state?.demo ?? false,
    signUp,
    passwordMin,
    chatWidgetUrl: chatWidgetUrl ?? null,
  };
}
