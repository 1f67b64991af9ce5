import { requireNewPassword, hashPassword } from '../auth/passwords.ts';
import { readAddress } from '../auth/register.ts';
import { productionTuning } from '../http/context.ts';
import { createCompany } from '../setup/company.ts';
import { type Command, optionalOption, requiredOption } from './command.ts';

const text = { type: 'string' } as const;

/** Company, default chart and administrator, e-mail verified and terms not yet accepted. */
export const companyCreate: Command = {
  name: 'company create',
  usage: '--name N --email E --password P --first-name F --last-name L [--time-zone TZ]',
  options: {
    name: text,
    email: text,
    password: text,
    'first-name': text,
    'last-name': text,
    'time-zone': text,
  },
  run: async (context) => {
    const displayname = requiredOption(context, 'name').trim();
    const email = readAddress(requiredOption(context, 'email'));
    const password = requiredOption(context, 'password');
    const firstName = requiredOption(context, 'first-name').trim();
    const lastName = requiredOption(context, 'last-name').trim();
    requireNewPassword({ password, confirmPassword: password }, context.config.passwordMin, [email, displayname]);
    const passwordHash = await hashPassword(password, productionTuning.passwordCost);
    const { pool } = await context.database();
    const administrator = { email, firstName, lastName, passwordHash, isVerified: true, termsVersion: null };
    const timeZone = optionalOption(context, 'time-zone');
    return { result: await createCompany(pool, { displayname, timeZone, administrator }) };
  },
};
