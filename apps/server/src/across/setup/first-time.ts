import type { Company } from '@evenkeel/contract/company';
import type { CompanyInput } from '@evenkeel/contract/settings';
import type { SetupInput } from '@evenkeel/contract/setup';
import { Failure, type FieldMessages, refuseFields } from '@evenkeel/core/failure';
import { isBlank } from '@evenkeel/core/documents/products';
import { SALES_TAX_PAYABLE } from '@evenkeel/core/books/accounts';
import { checkSetup, DEFAULT_CUSTOMER } from '@evenkeel/core/setup';
import { createProduct } from '../../features/catalogue/products.ts';
import { createEntity, customers, vendors } from '../../features/entities/entities.ts';
import type { Ctx } from '../../platform/http/context.ts';
import { endSetup, getCompany } from '../../features/settings/company.ts';
import { saveSettings } from '../../features/settings/customersettings.ts';
import { createSalesTax } from '../../features/settings/salestax.ts';
import { salesAccount } from './company.sql.ts';

const STATE_TAX = 0;
const MONTHLY = 3;

/**
 * Completes the first-time setup, which is possible only once. Saves the company's name and address, its two default
 * accounts, fiscal year, and sales tax, and a first customer, vendor, and product together. `skip` saves none of them.
 * Throws 422 if validation fails (core/setup), and 409 for answers that are sent after setup is complete. Skipping
 * again is allowed.
 */
export async function completeSetup(ctx: Ctx, input: SetupInput): Promise<Company> {
  if (input.skip === true) return skipSetup(ctx);
  refuseFields(checkSetup(input));
  const { defaultARAccountId, defaultAPAccountId, fyStartMonth } = input;
  // This statement runs first, because it locks the company. The second of two simultaneous requests is then rejected
  // before it creates anything.
  const company = await endSetup(ctx, companyOf(input));
  await Promise.all([
    saveAccount(ctx, 'defaultARAccountId', defaultARAccountId),
    saveAccount(ctx, 'defaultAPAccountId', defaultAPAccountId),
    ...(fyStartMonth ? [saveSettings(ctx, { settingName: 'fyStartMonth', settingValue: fyStartMonth })] : []),
    setUpSalesTax(ctx, input),
    createCustomer(ctx, input, company.emailAddress),
    createVendor(ctx, input),
    createFirstProduct(ctx, input),
  ]);
  return company;
}

/** Returns the answers about the company. If the address is empty, the stored one is kept. */
function companyOf({ companyName, address1, address2, city, state, zipCode }: SetupInput): CompanyInput {
  const address = { address1, address2, city, state, zipCode };
  const isEmpty = Object.values(address).every(isBlank);
  return { displayname: companyName ?? '', ...(isEmpty ? {} : address) };
}

/** Sets up the default sales tax with one state rate that is filed monthly. Users can add more rates in Settings. */
async function setUpSalesTax(ctx: Ctx, { salesTaxPercentage: percentage, salesTaxLabel }: SetupInput): Promise<void> {
  if (!percentage || percentage.eq(0)) return;
  const salesTaxItems = [{ label: salesTaxLabel ?? '', salesTaxType: STATE_TAX, percentage }];
  await createSalesTax(ctx, { glAccountId: SALES_TAX_PAYABLE, filingFrequency: MONTHLY, salesTaxItems });
}

async function skipSetup(ctx: Ctx): Promise<Company> {
  const company = await getCompany(ctx);
  return company.setupCompleted ? company : endSetup(ctx);
}

const saveAccount = (ctx: Ctx, settingName: 'defaultARAccountId' | 'defaultAPAccountId', id: number | null = null) =>
  placed({ settingValue: settingName }, () => saveSettings(ctx, { settingName, settingValue: id }));

/** A single default customer gets the company's own address, because no other address is known. */
async function createCustomer(ctx: Ctx, input: SetupInput, companyEmail: string): Promise<void> {
  const isOne = input.useDefaultCustomer === true;
  const [name, emailAddress] = isOne ? [DEFAULT_CUSTOMER, companyEmail] : [input.customerName, input.customerEmail];
  if (isBlank(name)) return;
  const places = { name: 'customerName', emailAddress: 'customerEmail' };
  await placed(places, () => createEntity(ctx, customers, { name, emailAddress }));
}

async function createVendor(ctx: Ctx, { vendorName: name, vendorEmail: emailAddress }: SetupInput): Promise<void> {
  if (isBlank(name)) return;
  const places = { name: 'vendorName', emailAddress: 'vendorEmail' };
  await placed(places, () => createEntity(ctx, vendors, { name, emailAddress }));
}

/** A product's name is also its description until a user enters a different description. */
async function createFirstProduct(ctx: Ctx, { productName: name, productPrice: salesPrice }: SetupInput) {
  if (isBlank(name)) return;
  const account = await ctx.tx.row(salesAccount());
  const places = { name: 'productName', GLAccountID: 'productName', salesPrice: 'productPrice' };
  await placed(places, () =>
    createProduct(ctx, { name, description: name, salesPrice, GLAccountID: account?.id ?? null }),
  );
}

/** Renames the fields in an error to the wizard's fields. */
async function placed(places: FieldMessages, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failure) || error.fields === undefined) throw error;
    const fields = Object.entries(error.fields).map(([field, message]) => [places[field] ?? field, message]);
    throw new Failure(error.code, error.message, Object.fromEntries(fields), error.detail);
  }
}
