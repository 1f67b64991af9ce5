import { CREDIT_CARD } from '@evenkeel/core/books/accounts';
import { sql } from 'kysely';
import { hashPassword } from '../across/auth/passwords.ts';
import { type Connection, openPool } from '../platform/db/connect.ts';
import { inCompany } from '../platform/db/tx.ts';
import { productionTuning } from '../platform/http/context.ts';
import { createCompany, type CreatedCompany } from '../across/setup/company.ts';

interface NewCompany {
  name: string;
  email: string;
  password: string;
}

/** Creates companies in the database of a running Evenkeel server. */
export interface Companies {
  /** Creates a company as `evenkeel company create` does, for Ada Admin in UTC, with first-time setup completed. */
  create(wanted: NewCompany): Promise<CreatedCompany>;
  /** Gives a company a second bank account, a credit card. */
  addCard(companyId: number, name: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The database is opened directly, because starting a command-line process for each company would take a second of
 * processor time.
 */
export function openCompanies(connection: Connection): Companies {
  const pool = openPool({ connection, as: 'runtime', max: 1 });
  return {
    create: async ({ name, email, password }) => {
      const passwordHash = await hashPassword(password, productionTuning.passwordCost);
      const ada = { firstName: 'Ada', lastName: 'Admin', isVerified: true, termsVersion: null };
      const administrator = { ...ada, email, passwordHash };
      const created = await createCompany(pool, { displayname: name, timeZone: 'UTC', administrator });
      await inCompany(pool, created.companyId, (tx) =>
        tx.rows(sql`update company set setup_completed = true where company_id = ${created.companyId}`),
      );
      return created;
    },
    addCard: (companyId, name) =>
      inCompany(pool, companyId, async (tx) => {
        await tx.rows(sql`
          insert into banking_account (company_id, name, gl_account_id)
          values (${companyId}, ${name}, ${CREDIT_CARD})`);
      }),
    close: () => pool.end(),
  };
}
