import type { Ctx } from '../../platform/http/context.ts';
import { sql } from 'kysely';
import type { Box, Place } from '../../platform/db/box.ts';
import type { JobHandler } from '../../platform/db/jobs.ts';
import { type BankingAccountRow, bankingAccounts } from './accounts.sql.ts';

/** Account numbers at rest: sealed for their row (platform/db/box.ts). */

export const placeOf = (companyId: number, rowId: number): Place => {
  return { companyId, table: 'banking_account', column: 'account_number_box', rowId };
};

/** The account number as it was typed; undefined when it was sealed with another key. */
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

/** A job: seals a company's plain numbers of before. */
export function sealPlainNumbers(box: Box): JobHandler {
  return async (tx) => {
    const plain = bankingAccounts.find({}, { lock: 'for update', and: sql`and account_number <> ''` });
    for (const { id, plainNumber } of await tx.rows(plain)) {
      const sealedNumber = box.seal(placeOf(tx.companyId, id), plainNumber);
      tx.atEnd(bankingAccounts.update({ id }, { sealedNumber, plainNumber: '' }));
    }
  };
}
