import { readAddress } from '../../across/auth/register.ts';
import { findForSignIn } from '../../across/auth/signin.sql.ts';
import { removeFactorOf } from '../../across/auth/users.ts';
import { todayIn } from '../../platform/clock.ts';
import { inCompany, installation } from '../../platform/db/tx.ts';
import { serverActor } from '../../platform/http/session.ts';
import { type Command, requiredOption } from './command.ts';
import { servicesOf } from './services.ts';

/**
 * Removes a user's second factor, ends the sessions and writes a letter: for the last administrator who lost the
 * authenticator and the recovery codes. The password stays as it is.
 */
export const factorRemove: Command = {
  name: 'factor remove',
  usage: '--email E',
  options: { email: { type: 'string' } },
  run: async (context) => {
    const email = readAddress(requiredOption(context, 'email'));
    const services = await servicesOf(context);
    const [user] = await installation(services.pool, findForSignIn(email));
    if (user === undefined) throw new Error(`No user has the email address ${email}`);
    const { companyId, userId } = user;
    const by = { kind: 'command', name: factorRemove.name } as const;
    await inCompany(services.pool, companyId, (tx) =>
      removeFactorOf({ ...serverActor({ companyId, userId }, todayIn('UTC'), by), tx, services }, userId),
    );
    return { result: { companyId, userId, email, removed: true } };
  },
};
