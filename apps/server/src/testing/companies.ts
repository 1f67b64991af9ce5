import { hashPassword } from '../auth/passwords.ts';
import { type Connection, openPool } from '../db/connect.ts';
import { productionTuning } from '../http/context.ts';
import { createCompany, type CreatedCompany } from '../setup/company.ts';

interface NewCompany {
  name: string;
  email: string;
  password: string;
}

/** Makes companies in the database of a running Evenkeel. */
export interface Companies {
  /** Makes a company as `evenkeel company create` does, for Ada Admin in UTC. */
  create(wanted: NewCompany): Promise<CreatedCompany>;
  close(): Promise<void>;
}

/** Without the command line: a process of its own for each company took a second of the processor's time. */
export function openCompanies(connection: Connection): Companies {
  const pool = openPool({ connection, as: 'runtime', max: 1 });
  return {
    create: async ({ name, email, password }) => {
      const passwordHash = await hashPassword(password, productionTuning.passwordCost);
      const ada = { firstName: 'Ada', lastName: 'Admin', isVerified: true, termsVersion: null };
      const administrator = { ...ada, email, passwordHash };
      return createCompany(pool, { displayname: name, timeZone: 'UTC', administrator });
    },
    close: () => pool.end(),
  };
}
