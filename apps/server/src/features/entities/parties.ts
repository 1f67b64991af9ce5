import type { Entity } from '@evenkeel/contract/entities';
import type { Company } from '@evenkeel/contract/company';
import type { Ctx } from '../../platform/http/context.ts';
import type { Letterhead } from '../../platform/pdf/letter.ts';
import { getCompany } from '../settings/company.ts';
import { logoPicture } from '../settings/logo.ts';
import { companyParty, customerParty, type PaperSource, type Party, selectKept } from '../../books/parties.ts';
import { customers, getEntity } from './entities.ts';

/** The company and the customer, as printed on a document. */
export interface Parties {
  company: Letterhead;
  customer: Party;
}

/** The current records of a document's parties, and the parties in their printed form. */
export interface PaperParties {
  company: Company;
  customer: Entity;
  parties: Parties;
}

/**
 * Returns a document's parties as they were saved with the document, or the current ones if none were saved. The logo
 * is always the current one (docs/decisions.md). Throws 404 if the customer doesn't belong to the company.
 */
export async function readParties(ctx: Ctx, customerId: number, source?: PaperSource): Promise<PaperParties> {
  const [company, customer, kept] = await Promise.all([
    getCompany(ctx),
    getEntity(ctx, customers, customerId),
    source && ctx.tx.row(selectKept(source)),
  ]);
  const logo = await logoPicture(ctx, company.logo);
  const own = letterhead(kept?.company ?? companyParty(company), logo);
  return { company, customer, parties: { company: own, customer: kept?.customer ?? customerParty(customer) } };
}

/** Returns the letterhead for the company's documents. */
export const letterhead = (company: Party, logo: Letterhead['logo']): Letterhead => ({
  ...company,
  ...(logo === undefined ? {} : { logo }),
});
