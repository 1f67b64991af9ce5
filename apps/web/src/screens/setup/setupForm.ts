import type { BodyOf } from '@evenkeel/contract/endpoint';
import type { Company, CustomerSetting } from '@evenkeel/contract/company';
import type { setupCalls } from '@evenkeel/contract/setup';
import { AP, AR } from '@evenkeel/core/books/accounts';
import { decimal } from '@evenkeel/core/money';
import type { FieldMessages } from '@evenkeel/core/failure';
import { MONTHS } from '@evenkeel/core/dates';
import { DEFAULT_CUSTOMER } from '@evenkeel/core/setup';
import * as z from 'zod';
import { Money } from '../../records/formFields.ts';

/** The answers entered in the wizard. */
export const SetupForm = z.object({
  companyName: z.string(),
  address1: z.string(),
  address2: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
  /** An uploaded picture, or null. */
  logo: z.object({ documentId: z.number(), documentName: z.string() }).nullable(),
  fyStartMonth: z.number().nullable(),
  salesTaxLabel: z.string(),
  salesTaxPercentage: z.number().nullable(),
  useDefaultAR: z.boolean(),
  defaultARAccountId: z.number().nullable(),
  useDefaultAP: z.boolean(),
  defaultAPAccountId: z.number().nullable(),
  useDefaultCustomer: z.boolean(),
  customerName: z.string(),
  customerEmail: z.string(),
  vendorName: z.string(),
  vendorEmail: z.string(),
  productName: z.string(),
  productPrice: Money.nullable(),
});
export type SetupForm = z.output<typeof SetupForm>;

/** The steps in order. */
export const STEPS = ['welcome', 'company', 'financials', 'customers', 'expenses', 'products'] as const;
export type StepId = (typeof STEPS)[number];

/** Each step's name and fields. */
export const STEP_FACTS: Readonly<Record<StepId, { label: string; fields: readonly (keyof SetupForm)[] }>> = {
  welcome: { label: 'Welcome', fields: [] },
  company: {
    label: 'Company',
    fields: ['companyName', 'address1', 'address2', 'city', 'state', 'zipCode', 'logo'],
  },
  financials: {
    label: 'Financials',
    fields: ['fyStartMonth', 'salesTaxLabel', 'salesTaxPercentage', 'defaultARAccountId', 'defaultAPAccountId'],
  },
  customers: { label: 'Customers', fields: ['customerName', 'customerEmail'] },
  expenses: { label: 'Expenses', fields: ['vendorName', 'vendorEmail'] },
  products: { label: 'Products', fields: ['productName', 'productPrice'] },
};

/** Returns the form filled in with the company's data. */
export function setupFormOf(company: Company, settings: readonly CustomerSetting[]): SetupForm {
  const idOf = (name: string, first: number): number =>
    Number(settings.find((each) => each.settingName === name)?.settingValue) || first;
  const [receivable, payable] = [idOf('defaultARAccountId', AR), idOf('defaultAPAccountId', AP)];
  return {
    companyName: company.displayname,
    address1: company.address1,
    address2: company.address2,
    city: company.city,
    state: company.state,
    zipCode: company.zipCode,
    logo: null,
    fyStartMonth: idOf('fyStartMonth', 1),
    salesTaxLabel: '',
    salesTaxPercentage: null,
    useDefaultAR: receivable === AR,
    defaultARAccountId: receivable,
    useDefaultAP: payable === AP,
    defaultAPAccountId: payable,
    useDefaultCustomer: false,
    customerName: '',
    customerEmail: '',
    vendorName: '',
    vendorEmail: '',
    productName: '',
    productPrice: null,
  };
}

/** Returns the request for a form. */
export function setupRequest({
  useDefaultAR,
  useDefaultAP,
  salesTaxPercentage,
  logo: _,
  ...form
}: SetupForm): BodyOf<typeof setupCalls.completeSetup> {
  return {
    ...form,
    salesTaxPercentage: salesTaxPercentage === null ? undefined : decimal(salesTaxPercentage),
    defaultARAccountId: useDefaultAR ? AR : form.defaultARAccountId,
    defaultAPAccountId: useDefaultAP ? AP : form.defaultAPAccountId,
  };
}

/** Returns the messages that belong to a step. */
export function faultsOf(step: StepId, faults: FieldMessages): FieldMessages {
  const own: readonly string[] = STEP_FACTS[step].fields;
  return Object.fromEntries(Object.entries(faults).filter(([field]) => own.includes(field)));
}

/** Returns the first step with an error. */
export function faultyStep(faults: FieldMessages): StepId | undefined {
  return STEPS.find((step) => Object.keys(faultsOf(step, faults)).length > 0);
}

/** Returns whether a step that the user has left has an answer. Customers, vendors, and products may be skipped. */
export function isAnswered(step: StepId, form: SetupForm): boolean {
  return step === 'welcome' || noteOf(step, form) !== undefined;
}

/** Returns the second line of a step, which summarizes its answer. Undefined without an answer. */
export function noteOf(step: StepId, form: SetupForm): string | undefined {
  const tax = form.salesTaxPercentage === null ? '' : `, sales tax ${form.salesTaxPercentage}%`;
  const note = {
    welcome: '',
    company: form.companyName,
    financials: `Fiscal year starts in ${MONTHS[(form.fyStartMonth ?? 1) - 1]}${tax}`,
    customers: form.useDefaultCustomer ? DEFAULT_CUSTOMER : form.customerName,
    expenses: form.vendorName,
    products: form.productName,
  }[step];
  return note.trim() === '' ? undefined : note;
}
