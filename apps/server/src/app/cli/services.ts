import { pino } from 'pino';
import { loadLegal } from '../../across/auth/legal.ts';
import { openInstallationBox } from '../../platform/db/key-mark.ts';
import { productionTuning, type Services } from '../../platform/http/context.ts';
import { openPseudonyms } from '../../platform/http/security-log.ts';
import type { CommandContext } from './command.ts';

/** Returns a process's services, for commands that run the same code as requests. */
export async function servicesOf({ config, database }: CommandContext): Promise<Services> {
  const [{ pool }, legal] = await Promise.all([database(), loadLegal(config.termsDir)]);
  const pseudonym = await openPseudonyms(pool);
  const log = pino({ level: 'silent' });
  return {
    pool,
    config,
    box: await openInstallationBox(config, pool),
    legal,
    log,
    pseudonym,
    tuning: productionTuning,
  };
}
