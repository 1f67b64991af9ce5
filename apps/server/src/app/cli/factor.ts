import { readAddress } from '../../across/auth/register.ts';
import { findForSignIn } from '../../across/auth/signin.sql.ts';
import { removeFactorOf } from '../../across/auth/users.ts';
import { todayIn } from '../../platform/clock.ts';
import { inCompany, installation } from '../../platform/db/tx.ts';
import { serverActor } from '../../platform/http/session.ts';
import { type Command, requiredOption } from './command.ts';
import { servicesOf } from './services.ts';

/**
 * Removes a user's two-step verification, ends the user's sessions, and sends an email. This command is for a last
 * administrator who has lost the authenticator app and the recovery codes. The password does not change.
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
