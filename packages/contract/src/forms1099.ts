import { formFacts } from '@evenkeel/core/taxes/forms1099';
import { consentStates } from '@evenkeel/core/taxes/copies';
import { accountBoxIds, formBoxIds, formIds, taxClassificationIds, taxIdKinds } from '@evenkeel/core/taxes/ids';
import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { DateField, Done, Id, IdText, maybe, Moment, RowVersion, text, Usd } from './fields.ts';

/**
 * 1099 forms: vendors' tax details, the boxes assigned to accounts, and the forms for a year. Except for the calls that
 * show or export tax IDs, responses contain at most their last four digits.
 */

export const VendorTax = z.object({
  vendorId: Id,
  vendorName: z.string(),
  /** Whether the vendor's payments are tracked for 1099 forms. */
  is1099: z.boolean(),
  /** The tax classification on Form W-9. Null until the classification is known. */
  classification: z.enum(taxClassificationIds).nullable(),
  taxIdKind: z.enum(taxIdKinds).nullable(),
  /** The last four digits of the tax ID. Empty if there is none. */
  taxIdEnd: z.string(),
  /** The day on which Form W-9 was received. */
  w9Date: DateField.nullable(),
  /** The day on which the vendor was last asked for Form W-9. */
  w9Requested: DateField.nullable(),
  /** 0 before the first save. */
  rowVersion: RowVersion,
});
export type VendorTax = z.output<typeof VendorTax>;

/**
 * The tax ID as a user enters it: nine digits, with or without dashes. If omitted, the tax ID doesn't change. An empty
 * string removes the tax ID.
 */
const taxIdInput = { taxId: maybe(text(20)), taxIdKind: maybe(z.enum(taxIdKinds)) };

export const VendorTaxInput = z.object({
  ...taxIdInput,
  is1099: z.boolean(),
  classification: maybe(z.enum(taxClassificationIds)),
  w9Date: maybe(DateField),
  w9Requested: maybe(DateField),
  rowVersion: maybe(RowVersion),
});

/** An account with the box in which its payments are reported. */
const BoxAccount = z.object({ accountId: Id, box: z.enum(accountBoxIds) });

export const FormSettings = z.object({
  taxIdKind: z.enum(taxIdKinds).nullable(),
  /** The last four digits of the company's tax ID. Empty if there is none. */
  taxIdEnd: z.string(),
  accounts: z.array(BoxAccount),
  /** Boxes suggested by the names of other expense accounts. Suggested boxes have no effect until they are saved. */
  proposed: z.array(BoxAccount),
  rowVersion: RowVersion,
});
export type FormSettings = z.output<typeof FormSettings>;

const FormAmount = z.object({ box: z.enum(formBoxIds), amount: Usd, threshold: Usd });

const formStatuses = ['ready', 'missing', 'below', 'noBox', 'filed', 'changed'] as const;

/** The electronic delivery of a vendor's copies. */
export const FormConsent = z.object({
  vendorId: Id,
  vendorName: z.string(),
  state: z.enum(consentStates),
  /** The day of the request, the consent, or the withdrawal. Null for a vendor who was never asked. */
  date: DateField.nullable(),
  /** The number of requests. A request with an outdated number is rejected. */
  requests: z.number().int(),
  /** The version of the disclosures that the vendor consented to. */
  textVersion: z.number().int().nullable(),
});
export type FormConsent = z.output<typeof FormConsent>;

/** The electronic copy of a filed form. */
export const FormCopy = z.object({
  id: Id,
  /** The form, year, vendor, and version. */
  name: z.string(),
  /** The number of emails with this copy. A request with an outdated number is rejected. */
  sent: z.number().int(),
  /** The state of the last email, as for emails to customers. */
  state: z.enum(['queued', 'sent', 'refused', 'unsure']),
  sentOn: DateField,
  /** The day on which the recipient first opened the copy. */
  openedOn: DateField.nullable(),
});
export type FormCopy = z.output<typeof FormCopy>;

/** The working private links to a vendor's page, as recorded in the audit log. */
export const FormLinks = z.object({
  vendorId: Id,
  vendorName: z.string(),
  links: z.array(z.object({ id: Id, name: z.string() })),
});

const FormRow = z.object({
  vendorId: Id,
  vendorName: z.string(),
  form: z.enum(formIds),
  taxIdEnd: z.string(),
  boxes: z.array(FormAmount),
  /** All payments, including payments by card and payments posted to accounts without a box. */
  paid: Usd,
  /** Payments made by card or through payment networks. */
  byCard: Usd,
  noBox: Usd,
  reportable: Usd,
  withheld: Usd,
  /**
   * `below`: no box reaches its threshold. `noBox`: all payments are posted to accounts without a box. `changed`: the
   * amounts or details differ from those on the filed form.
   */
  status: z.enum(formStatuses),
  missing: z.array(z.enum(formFacts)),
  /** The last filed version, or null. */
  filed: z.object({ id: Id, version: z.number().int(), filedDate: DateField }).nullable(),
  /** Whether the vendor has an email address. Without one, the copy can only be printed and mailed. */
  hasEmail: z.boolean(),
  consent: FormConsent.pick({ state: true, date: true, requests: true }),
  /** The electronic copy of the last filed version. Null until it is sent. */
  copy: FormCopy.pick({ sent: true, state: true, sentOn: true, openedOn: true })
    .extend({
      /** The last day on which the copy is available and can be sent again. */
      endsOn: DateField,
    })
    .nullable(),
});

export const FormYear = z.object({
  year: z.number().int(),
  /** The years that can be selected, latest first. */
  years: z.array(z.number().int()),
  rows: z.array(FormRow),
  /** `due` is the total of `ready`, `missing`, and `filed`. */
  figures: z.object({
    due: z.number().int(),
    ready: z.number().int(),
    missing: z.number().int(),
    filed: z.number().int(),
    below: z.number().int(),
  }),
  /** The due date of Forms 1099-NEC and the recipients' copies, followed by the due date of Forms 1099-MISC. */
  dueDate: DateField,
  miscDueDate: DateField,
  /** The threshold for most boxes. `isStated` is false for a year whose amount isn't known yet. */
  threshold: z.object({ amount: Usd, source: z.string(), isStated: z.boolean() }),
  /** The backup withholding rate for the year, in percent. */
  withholdingPercent: z.string(),
  /** The required company details that are missing. */
  payerMissing: z.array(z.enum(['taxId', 'address', 'phone'])),
  /** The number of accounts with a box. */
  boxAccounts: z.number().int(),
  /** The number of files for the IRS, with at most 100 Forms 1099-NEC each. */
  irisFiles: z.number().int(),
});
export type FormYear = z.output<typeof FormYear>;

/** An account's part of a payment. */
const FormPayment = z.object({
  date: DateField,
  /** The kind and ID of the bill, payment, or entry. */
  kind: z.string(),
  id: Id,
  label: z.string(),
  accountName: z.string(),
  /** The box, or null for an account without one. */
  box: z.enum(formBoxIds).nullable(),
  isWithheld: z.boolean(),
  amount: Usd,
  /** The reason why the amount is not reported. Null if the amount is reported. */
  reason: z.enum(['card', 'network', 'noBox', 'nothing']).nullable(),
});
export type FormPayment = z.output<typeof FormPayment>;

export const VendorYear = z.object({
  payments: z.array(FormPayment),
  /** The number of payments that were omitted from the list because there are too many. */
  more: z.number().int(),
});
export type VendorYear = z.output<typeof VendorYear>;

/** A name and address as printed. */
const FiledParty = z.object({ name: z.string(), lines: z.array(z.string()), taxIdEnd: z.string() });

export const FiledForm = z.object({
  id: Id,
  vendorId: Id,
  /** The form, year, vendor, and version, for example "Form 1099-NEC 2026, Harlan Excavating LLC, correction 1". */
  name: z.string(),
  year: z.number().int(),
  form: z.enum(formIds),
  /** 1 for the first form, and one higher for each correction. */
  version: z.number().int(),
  isLast: z.boolean(),
  filedDate: DateField,
  filedBy: z.string(),
  filedAt: Moment,
  recipient: FiledParty,
  boxes: z.array(z.object({ box: z.enum(formBoxIds), amount: Usd })),
  reported: Usd,
  withheld: Usd,
});
export type FiledForm = z.output<typeof FiledForm>;

/** A year as text in a URL. */
const YearText = z.codec(z.string().regex(/^20[2-9]\d$/), z.number().int(), { decode: Number, encode: String });
const params = z.object({ id: IdText });

export const formCalls = {
  getVendorTax: endpoint({
    method: 'GET',
    path: '/vendor/{id}/tax',
    needs: 'View Vendors',
    summary: "Returns a vendor's tax details for 1099 forms, with the last four digits of the tax ID.",
    params,
    reply: VendorTax,
  }),
  updateVendorTax: endpoint({
    method: 'PUT',
    path: '/vendor/{id}/tax',
    needs: 'Manage Vendors',
    summary: "Saves a vendor's tax details for 1099 forms. The tax ID is encrypted when it is stored.",
    params,
    body: VendorTaxInput,
    reply: VendorTax,
    ofPerson: true,
  }),
  /** Each request to see a tax ID is recorded in the audit log. */
  showTaxId: endpoint({
    method: 'POST',
    path: '/vendor/{id}/taxid',
    needs: 'Manage Vendors',
    summary: "Returns a vendor's tax ID and records who viewed it.",
    params,
    reply: z.object({ taxId: z.string() }),
    ofPerson: true,
    answersSecret: true,
    noRehearsal: true,
  }),
  getFormSettings: endpoint({
    method: 'GET',
    path: '/form1099settings',
    needs: 'View Accounting',
    summary: "Returns the 1099 boxes assigned to accounts and the last four digits of the company's tax ID.",
    reply: FormSettings,
  }),
  updateFormSettings: endpoint({
    method: 'PUT',
    path: '/form1099settings',
    needs: 'Manage Accounting',
    summary: "Saves the 1099 boxes assigned to accounts and the company's tax ID.",
    body: z.object({ ...taxIdInput, accounts: z.array(BoxAccount).max(500), rowVersion: maybe(RowVersion) }),
    reply: FormSettings,
    ofPerson: true,
  }),
  listForms: endpoint({
    method: 'GET',
    path: '/form1099',
    needs: 'View Accounting',
    summary: "Lists a payment year's 1099 forms: amounts, thresholds, and missing details.",
    query: z.object({ year: YearText.optional() }),
    reply: FormYear,
  }),
  listFormPayments: endpoint({
    method: 'GET',
    path: '/vendor/{id}/form1099',
    needs: 'View Accounting',
    summary: "Lists a vendor's payments in a year, with the reason for each payment that is not on a 1099 form.",
    params,
    /** Defaults to the current year. */
    query: z.object({ year: YearText.optional() }),
    reply: VendorYear,
  }),
  /** Throws 409 if an amount is outdated, and 422 if a form is not due, is incomplete, or is already filed. */
  fileForms: endpoint({
    method: 'POST',
    path: '/form1099',
    needs: 'Manage Accounting',
    summary: 'Marks 1099 forms as filed, or corrects filed ones. The amounts on a filed form never change.',
    body: z.object({
      year: z.number().int(),
      filedDate: DateField,
      forms: z
        .array(
          z.object({
            vendorId: Id,
            form: z.enum(formIds),
            /** The amounts that the user saw. */
            reported: Usd,
            withheld: Usd,
          }),
        )
        .min(1)
        .max(500),
    }),
    reply: z.array(FiledForm),
  }),
  getForm: endpoint({
    method: 'GET',
    path: '/form1099/{id}',
    needs: 'View Accounting',
    summary: 'Returns a filed 1099 form.',
    params,
    reply: FiledForm,
  }),
  /** Throws 409 if a later version is filed. */
  undoForm: endpoint({
    method: 'DELETE',
    path: '/form1099/{id}',
    needs: 'Manage Accounting',
    summary: 'Deletes the record of a filed 1099 form, so that the form can be filed again.',
    params,
    reply: Done,
  }),
  printForm: endpoint({
    method: 'GET',
    path: '/form1099/{id}/pdf',
    needs: 'View Accounting',
    summary: "Returns the recipient's copy (Copy B) of a filed 1099 form as a PDF.",
    params,
    reply: 'application/pdf',
  }),
  /**
   * Throws 409 if someone else has asked a vendor in the meantime, and 422 if a vendor has already consented or has no
   * email address.
   */
  requestConsent: endpoint({
    method: 'POST',
    path: '/form1099consent',
    needs: 'Manage Accounting',
    summary: 'Emails vendors a private link to consent to the electronic delivery of their 1099 forms.',
    body: z.object({
      vendors: z
        .array(z.object({ vendorId: Id, requests: z.number().int().min(0) }))
        .min(1)
        .max(100),
    }),
    reply: z.array(FormConsent),
  }),
  /** Throws 422 if the vendor has not consented. */
  withdrawConsent: endpoint({
    method: 'DELETE',
    path: '/vendor/{id}/form1099consent',
    needs: 'Manage Accounting',
    summary:
      "Records a vendor's withdrawal of the consent to electronic 1099 forms, and emails the vendor a confirmation.",
    params,
    reply: FormConsent,
  }),
  revokeFormLinks: endpoint({
    method: 'DELETE',
    path: '/vendor/{id}/form1099link',
    needs: 'Manage Accounting',
    summary: "Revokes every private link to a vendor's page with 1099 forms.",
    params,
    reply: Done,
  }),
  /**
   * Throws 409 if someone else has sent a copy in the meantime or a correction was filed, and 422 if a vendor has not
   * consented or a copy is no longer available.
   */
  sendCopies: endpoint({
    method: 'POST',
    path: '/form1099copies',
    needs: 'Manage Accounting',
    summary: "Emails vendors who consented a private link to the recipient's copy (Copy B) of filed 1099 forms.",
    body: z.object({
      forms: z
        .array(z.object({ id: Id, sent: z.number().int().min(0) }))
        .min(1)
        .max(100),
    }),
    reply: z.array(FormCopy),
  }),
  exportForms: endpoint({
    method: 'GET',
    path: '/form1099file',
    needs: 'Manage Vendors',
    summary: 'Returns a CSV file with at most 100 Forms 1099-NEC for the IRS (IRIS Taxpayer Portal), with tax IDs.',
    query: z.object({
      /** Defaults to the current year. */
      year: YearText.optional(),
      /** The number of the file, starting with 1. */
      part: z.codec(z.string().regex(/^[1-9]\d?$/), z.number().int(), { decode: Number, encode: String }).optional(),
    }),
    reply: 'file',
    ofPerson: true,
  }),
};
