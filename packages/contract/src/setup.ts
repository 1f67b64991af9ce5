import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { decimalField, Id, maybe, Price, text } from './fields.ts';
import { Company } from './company.ts';

/** The first-time setup of a company. */

/** The wizard's answers, which core/setup checks. A customer, vendor, or product without a name is not created. */
export const SetupInput = z.object({
  /** If true, the setup is only marked as complete, and the other fields are ignored. */
  skip: maybe(z.boolean()),
  companyName: maybe(text(200)),
  address1: maybe(text(200)),
  address2: maybe(text(200)),
  city: maybe(text(100)),
  state: maybe(text(100)),
  zipCode: maybe(text(20)),
  /** The first month of the fiscal year, 1 to 12. */
  fyStartMonth: maybe(z.number().int()),
  /** The rate of the default sales tax. Without a rate, no sales tax is set up. */
  salesTaxPercentage: maybe(decimalField(6, 1_000_000)),
  salesTaxLabel: maybe(text(100)),
  defaultARAccountId: maybe(Id),
  defaultAPAccountId: maybe(Id),
  /** Creates one generic customer instead of a customer with a name. */
  useDefaultCustomer: maybe(z.boolean()),
  customerName: maybe(text(200)),
  customerEmail: maybe(text(254)),
  vendorName: maybe(text(200)),
  vendorEmail: maybe(text(254)),
  productName: maybe(text(200)),
  productPrice: maybe(Price),
});
export type SetupInput = z.output<typeof SetupInput>;

export const setupCalls = {
  completeSetup: endpoint({
    method: 'POST',
    path: '/firsttimesetup',
    needs: 'Administrator',
    summary:
      'Completes or skips first-time setup. This can be done only once. If one answer is invalid, none are saved. ' +
      'Returns the company.',
    body: SetupInput,
    reply: Company,
  }),
};
