/** The choices of the tax forms that the contract names. Most pages don't need the rules about them. */

/** The reasons why a customer is exempt from sales tax. */
export const exemptReasonIds = ['resale', 'nonprofit', 'government', 'agriculture', 'manufacturing', 'other'] as const;
export type ExemptReason = (typeof exemptReasonIds)[number];

/** Whether tax is rounded for each tax item, or once at the combined rate. */
export const taxRoundingIds = ['item', 'combined'] as const;
