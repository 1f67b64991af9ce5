import type { Ctx } from '../../platform/http/context.ts';
import { sql } from 'kysely';
import type { Box, Place } from '../../platform/db/box.ts';
import type { JobHandler } from '../../platform/db/jobs.ts';
import { type BankingAccountRow, bankingAccounts } from './accounts.sql.ts';

/** Account numbers in the database, each encrypted for its row (platform/db/box.ts). */

export const placeOf = (companyId: number, rowId: number): Place => {
  return { companyId, table: 'banking_account', column: 'account_number_box', rowId };
};

/** Returns the account number as entered, or undefined if it was encrypted with another key. */
export function numberOf(
  { services, companyId }: Pick<Ctx, 'services' | 'companyId'>,
  { bankingAccountID, sealedNumber, plainNumber }: BankingAccountRow,
): string | undefined {
  if (sealedNumber === null) return plainNumber;
  return services.box.open(placeOf(companyId, bankingAccountID), sealedNumber);
}

export function sealNumber({ services, companyId }: Pick<Ctx, 'services' | 'companyId'>, id: number, number: string) {
  return services.box.seal(placeOf(companyId, id), number);
}

/** A job that encrypts a company's account numbers stored as plain text by an earlier version. */
export function sealPlainNumbers(box: Box): JobHandler {
  return async (tx) => {
    const plain = bankingAccounts.find({}, { lock: 'for update', and: sql`and account_number <> ''` });
    for (const { id, plainNumber } of await tx.rows(plain)) {
      const sealedNumber = box.seal(placeOf(tx.companyId, id), plainNumber);
      tx.atEnd(bankingAccounts.update({ id }, { sealedNumber, plainNumber: '' }));
    }
  };
}
