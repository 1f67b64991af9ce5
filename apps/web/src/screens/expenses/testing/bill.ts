/** Returns a bill in the API's format: A-77 from vendor 9, with one line of 120.00 and no payments. */
export function wireBill(change: Record<string, unknown> = {}) {
  return {
    id: 36,
    invoiceid: 36,
    vendorId: 9,
    vendorDisplayName: 'Quarry Supply',
    invoiceNumber: 'A-77',
    locationId: null,
    invoiceDate: '2026-05-12',
    dueDate: '2026-06-11',
    postingDate: '2026-05-12',
    postToVendorAccount: true,
    bankAccountId: null,
    voided: false,
    invoiceAmount: 120,
    openAmount: 120,
    lineItems: [
      {
        id: 91,
        description: 'Gravel',
        lineItemAmount: 120,
        accountId: 160,
        profitCenterId: null,
        creditLine: false,
        deleted: false,
      },
    ],
    documentLinks: [],
    entryDate: '2026-05-12',
    badge: 'Open',
    daysOverdue: 0,
    rowVersion: 1,
    ...change,
  };
}
