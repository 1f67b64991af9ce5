import type { Entity } from '@evenkeel/contract/entities';
import type { Company } from '@evenkeel/contract/settings';
import type { Ctx } from '../../platform/http/context.ts';
import type { Letterhead } from '../../platform/pdf/letter.ts';
import { getCompany } from '../settings/company.ts';
import { logoPicture } from '../settings/logo.ts';
import { companyParty, customerParty, type PaperSource, type Party, selectKept } from '../../books/parties.ts';
import { customers, getEntity } from './entities.ts';

/** The two of a paper, as the paper shows them. */
export interface Parties {
  company: Letterhead;
  customer: Party;
}

/** The present records of a paper's parties, and the parties as the paper shows them. */
export interface PaperParties {
  company: Company;
  customer: Entity;
  parties: Parties;
}

/**
 * Reads the parties of a paper: as its source keeps them, or the present ones without a source. The logo is always the
 * present one (docs/decisions.md). Throws 404 for a customer that is not the company's.
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

/** The head of the company's papers. */
export const letterhead = (company: Party, logo: Letterhead['logo']): Letterhead => ({
  ...company,
  ...(logo === undefined ? {} : { logo }),
});
