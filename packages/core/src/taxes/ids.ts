/**
 * The choices on tax forms that the contract refers to. The rules are in other files, because most pages don't need
 * them.
 */

/** The reasons why a customer is exempt from sales tax. */
export const exemptReasonIds = ['resale', 'nonprofit', 'government', 'agriculture', 'manufacturing', 'other'] as const;
export type ExemptReason = (typeof exemptReasonIds)[number];

/** Whether tax is rounded for each tax item, or once at the combined rate. */
export const taxRoundingIds = ['item', 'combined'] as const;

/** The tax classifications on Form W-9. */
export const taxClassificationIds = [
  'individual',
  'partnership',
  'c_corporation',
  's_corporation',
  'trust',
  'llc',
  'other',
] as const;
export type TaxClassification = (typeof taxClassificationIds)[number];

/** The kinds of tax IDs: employer identification numbers and Social Security numbers. */
export const taxIdKinds = ['ein', 'ssn'] as const;
export type TaxIdKind = (typeof taxIdKinds)[number];

/** The 1099 forms. */
export const formIds = ['nec', 'misc'] as const;
export type FormId = (typeof formIds)[number];

/** The boxes that report payments: box 1 of Form 1099-NEC and five boxes of Form 1099-MISC. */
export const formBoxIds = ['nec1', 'misc1', 'misc2', 'misc3', 'misc6', 'misc10'] as const;
export type FormBoxId = (typeof formBoxIds)[number];

/** The 1099 forms and their boxes, to which federal rules apply. */
export const formPartIds = [...formIds, ...formBoxIds] as const;
export type FormPart = (typeof formPartIds)[number];

/**
 * The role of an account on 1099 forms: the box of its payments, the account for backup withholding (box 4), or a bank
 * account of a payment network, which reports its payments itself.
 */
export const accountBoxIds = [...formBoxIds, 'withheld', 'network'] as const;
export type AccountBox = (typeof accountBoxIds)[number];
