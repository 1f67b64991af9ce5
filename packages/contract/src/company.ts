import * as z from 'zod';
import { DocumentLink } from './attachments.ts';
import { endpoint, type Endpoint } from './endpoint.ts';
import { PartyRecord } from './party.ts';
import { Id, RowVersion } from './fields.ts';

/** The calls for the company and its settings, which every page loads. The other settings calls are in settings.ts. */

/**
 * The company has the fields of customers and vendors, except those about billing. `phone` and the six address fields
 * mirror its primary phone and its mailing address (type 1). Its balance is always 0.
 */
export const Company = PartyRecord.extend({
  timeZone: z.string(),
  phone: z.string(),
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
  countryId: Id,
  /** A PNG or JPEG image that is printed on customer documents. Every user of the company can read the file. */
  logo: DocumentLink.nullable(),
  setupCompleted: z.boolean(),
});
export type Company = z.output<typeof Company>;

export const CustomerSetting = z.object({
  id: Id,
  settingName: z.string(),
  settingValue: z.string(),
  rowVersion: RowVersion,
});
/**
 * All settings of a company. If a request with an outdated version is rejected, the error contains the current settings
 * as `current`.
 */
export const CustomerSettings = z.object({ customerSettingItems: z.array(CustomerSetting) });
export type CustomerSettings = z.output<typeof CustomerSettings>;
export type CustomerSetting = z.output<typeof CustomerSetting>;

export const companyCalls = {
  getCompany: endpoint({
    method: 'GET',
    path: '/company',
    needs: 'signed-in',
    summary: "Returns the user's company.",
    reply: Company,
  }),
  getSettings: endpoint({
    method: 'GET',
    path: '/customersettings',
    needs: 'signed-in',
    summary: 'Returns the company settings, with values as text.',
    reply: CustomerSettings,
  }),
} satisfies Record<string, Endpoint>;
