import { expect, test } from 'vitest';
import type * as z from 'zod';
import { calls } from './all.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * The fields that API clients rely on, listed under the call that returns them. Fields inside another field are listed
 * in brackets after its name.
 */
type Fields = readonly (string | Readonly<Record<string, Fields>>)[];

const PHONE: Fields = ['phoneID', 'displayNumber', 'phoneType', 'allowText', 'primary', 'deleted'];
const CONTACT: Fields = [
  'isPrimary',
  'deleted',
  { contact: ['firstName', 'lastName', 'title', 'emailAddress', 'phoneNumber', { phones: PHONE }, 'newcontact', 'id'] },
];
const ADDRESS = words(`addressType addressID attention address1 address2 city state stateId zipCode plusFour county
  municipality province provinceId provinceName postalCode countryId`);
const PROPERTIES: Fields = [{ extendedProperties: words('baseExtendedPropertyId propertyValue dataType') }];
const ENTITY_INPUT: Fields = [
  ...words('id displayname name dba emailAddress emails accountNumber isIndividual'),
  { phones: PHONE },
  { contacts: CONTACT },
  { addresses: ADDRESS },
  ...PROPERTIES,
  'deleted',
];
const ENTITY: Fields = [
  ...ENTITY_INPUT,
  { addresses: ['displayAddress'] },
  ...words('contactList phoneList primaryContactName primaryContactEmail primaryContactPhone currentbalance'),
];
const LINKS: Fields = [{ documentLinks: words('id documentId documentName uploadDate filePath deleted') }];
const ACCOUNT = words('customerAccountID name displayAccountName displayAccountLabel');
const GL_ACCOUNT =
  words(`customerAccountID customerAccountId displayAccountNumber displayAccountName displayAccountLabel
  displayAccountType glAccountDescription`);
const INVOICE_LINE =
  words(`id productId packageId discountId isProduct isPackage isDiscount itemPrice itemAmount quantity
  description serviceDate taxable isProductLine accountId profitCenterId locationId lineItemAmount lineItemTax
  deleted`);
const WORK_ITEM_INPUT =
  words(`id customerId workitemDate dueDate serviceDate productId packageId discountId locationId profitCenterId
  description itemPrice taxable accountId quantity`);
const WORK_ITEM = [
  ...WORK_ITEM_INPUT,
  ...words(
    'customerDisplayName displayName itemAmount totalAmount isProduct isPackage isDiscount isProductLine entryDate',
  ),
];
const WORK_ITEM_INVOICE = words('id included arBillingStatus invoiceDate dueDate');
const BILL_LINE = words('id description lineItemAmount accountId profitCenterId creditLine deleted');
const OPEN_INVOICE = words('invoiceId invoiceNumber invoiceAmount openAmount appliedAmount applyAmount profitCenterId');
const BILLING_PAYMENT = words(`id customerId paymentDate paymentAmount paymentRefNo paymentCheckNo paymentDescription
  bankAccountId paymentAccountId`);
const EXPENSE_PAYMENT = words(`id vendorId paymentDate paymentAmount paymentRefNo paymentCheckNo paymentDescription
  bankAccountId paymentAccountId locationId`);
const CATEGORY = words('id categoryName');
const CENTER = words('profitcenterid profitcentername');
const LOCATION = words('locationId locationName address1 address2 city state county country postalCode');
const OFFER = words('productCategoryID GLAccountID profitCenterID startDate startDateInUse endDate endDateInUse');
const PRODUCT_INPUT: Fields = [
  ...words('productID name description version salesPrice taxable productServiceType'),
  ...OFFER,
  { documentLinks: words('id documentId documentName deleted') },
];
const DISCOUNT_INPUT: Fields = [
  ...words('discountID name description discountType discountTypeTarget discountPercentage discountFlatValue'),
  ...OFFER,
];
const PACKAGE_LINE = words('packageLineItemID productID discountID isAProductLine quantity');
const SETUP_INPUT = words(`customerAccountID description accountNumberLabel accountNameLabel masterAccountID
  accountCategoryId selected`);
const ENTRY = words('glid transactionID postingDate description debitAmount creditAmount balance displayAccountLabel');
const SIDES: Fields = [{ incomingEntries: ENTRY }, { outgoingEntries: ENTRY }];
const ROLE = words('id roleName');
const USER = words('id firstName lastName email roleId baseURL colonyBooksTermsAccepted');
const TAX_ITEM = words('id label salesTaxType percentage deleted');

/** The response fields. */
const ANSWERED: readonly [Endpoint, Fields][] = [
  [calls.listCustomers, words('id displayname currentbalance')],
  [calls.listVendors, words('id displayname dba')],
  [calls.getCustomer, ENTITY],
  [calls.getVendor, ENTITY],
  [calls.getCompany, ENTITY],
  [calls.listCountries, words('countryId countryName defaultCountry addressFormatType')],
  [calls.listStates, words('id abbrev displayName')],
  [calls.entityDetails, words('id displayName dataType')],
  [calls.getSettings, [{ customerSettingItems: words('id settingName settingValue') }]],
  [calls.listProducts, words('productID name description version categoryName salesPrice')],
  [
    calls.listProductsAndPackages,
    words('itemKey id name isProduct isPackage isDiscount discountDisplay calculatedTotal'),
  ],
  [calls.listAccounts, [...GL_ACCOUNT, ...ACCOUNT]],
  [calls.listPaymentAccounts, ACCOUNT],
  [calls.listRevenueAccounts, ACCOUNT],
  [calls.availableGlAccounts, ACCOUNT],
  [calls.chartOfAccounts, [...GL_ACCOUNT, ...words('description masterAccountID balance')]],
  [calls.setupAccount, [...SETUP_INPUT, 'masterAccountNumberLabel', 'masterAccountNameLabel']],
  [calls.listMasterAccounts, words('id accountNumber accountName accountLabel accountTypeLabel accountCategoryId')],
  [calls.listPaymentTypes, words('id displayName')],
  [calls.listProfitCenters, CENTER],
  [calls.listLocations, LOCATION],
  [calls.listAccountCategories, CATEGORY],
  [calls.loginRoles, words('id roleName systemRole')],
  [calls.getRole, [...ROLE, 'systemRole', 'roleProperties']],
  [calls.getUser, [...USER, 'displayName', 'userRole']],
  [calls.login, words('id token termsAccepted initials')],
  [
    calls.getInvoice,
    [
      ...words('id invoiceid invoiceNumber invoiceDate dueDate customerId customerDisplayName arBillingStatus'),
      ...words('salesTaxAmount invoiceAmount salesTaxScenario entryDate openAmount readyToPay'),
      { lineItems: [...INVOICE_LINE, { taxItems: words('salesTaxType total') }] },
    ],
  ],
  [calls.listStatuses, words('id displayName displayOrder')],
  [calls.listWorkItems, WORK_ITEM],
  [calls.getWorkItem, WORK_ITEM],
  [calls.listWorkItemInvoices, [...WORK_ITEM_INVOICE, ...words('customerDisplayName workItemCount invoiceAmount')]],
  [calls.customerHistory, words('refNumber historyDate amount balance')],
  [
    calls.getExpense,
    [
      ...words('id vendorId vendorDisplayName invoiceNumber locationId invoiceDate dueDate postingDate'),
      ...words('postToVendorAccount invoiceAmount openAmount entryDate'),
      { lineItems: BILL_LINE },
      ...LINKS,
    ],
  ],
  [calls.vendorInvoices, words('invoiceNumber invoiceDate invoiceAmount')],
  [
    calls.getPayment,
    [
      ...BILLING_PAYMENT,
      ...words('accountId entryDate paymentNumber paymentRefNumber'),
      ...LINKS,
      { paymentApplications: words('invoiceId profitCenterId locationId amount invoiceDescription') },
    ],
  ],
  [
    calls.getExpensePayment,
    [...EXPENSE_PAYMENT, 'entryDate', ...LINKS, { paymentApplications: words('invoiceId profitCenterId amount') }],
  ],
  [calls.openInvoices, [...OPEN_INVOICE, 'locationId', 'lineItems']],
  [calls.vendorOpenInvoices, OPEN_INVOICE],
  [calls.accountEntries, ENTRY],
  [calls.postTransaction, ['transactionID', 'entityID', { generalLedgerEntries: ENTRY }]],
  [
    calls.getSalesTax,
    ['id', 'glAccountId', 'filingFrequency', { salesTaxItems: [...TAX_ITEM, 'displayLabel', 'displayValue'] }],
  ],
  [calls.getProduct, [...PRODUCT_INPUT, 'entityID', 'categoryName', ...LINKS]],
  [calls.listCategories, words('productCategoryID categoryName')],
  [calls.getDiscount, [...DISCOUNT_INPUT, 'categoryName']],
  [
    calls.getPackage,
    [
      ...words('packageID name description entityID packageDealDiscountType goalPrice packageTotalPrice'),
      { packageLineItems: [...PACKAGE_LINE, 'totalLineItemValue'] },
      {
        smartDiscount: words(
          'smartDiscountID percentageValue displayPercentage displayAmount amount flatvalue packageID',
        ),
      },
      ...LINKS,
    ],
  ],
  [
    calls.getBankingAccount,
    [
      ...words('bankingAccountID accountNumber routingNumber entityID name glAccountID allowPayments allowDeposits'),
      ...words('creditCards currentBalance lastReconciledDate lastReconciledBalance'),
      ...LINKS,
    ],
  ],
  [calls.reconciledAccounts, words('bankingAccountID name glAccountID lastReconciledDate lastReconciledBalance')],
  [calls.unreconciledEntries, [...SIDES, 'mostRecentReconDate']],
  [calls.listReconciliations, words('reconciliationID reconciliationDate statementBalance isDeletable')],
  [
    calls.getReconciliation,
    [
      ...words('reconciliationID reconciliationDate statementBalance bankCharge interest isDeletable'),
      'mostRecentReconDate',
      ...SIDES,
      ...LINKS,
    ],
  ],
];

/** Request fields that the API reads. Calculated fields are dropped. */
const TAKEN: readonly [Endpoint, Fields][] = [
  [calls.createCustomer, ENTITY_INPUT],
  [calls.createVendor, ENTITY_INPUT],
  [calls.saveSettings, words('id settingName settingValue changed')],
  [
    calls.createInvoice,
    [
      ...words('id invoiceDate dueDate customerId arBillingStatus salesTaxScenario'),
      {
        lineItems: words(`id productId packageId discountId itemPrice quantity description serviceDate taxable accountId
          profitCenterId locationId deleted`),
      },
    ],
  ],
  [calls.createWorkItem, WORK_ITEM_INPUT],
  [calls.billWorkItems, WORK_ITEM_INVOICE],
  [
    calls.createExpense,
    [
      ...words(
        'id vendorId invoiceNumber locationId invoiceDate dueDate postingDate postToVendorAccount documentLinks',
      ),
      { lineItems: BILL_LINE },
    ],
  ],
  [
    calls.createPayment,
    [...BILLING_PAYMENT, 'documentLinks', { paymentApplications: words('invoiceId profitCenterId locationId amount') }],
  ],
  [
    calls.createExpensePayment,
    [...EXPENSE_PAYMENT, 'documentLinks', { paymentApplications: words('invoiceId profitCenterId amount') }],
  ],
  [calls.invoiceHistory, words('fromDate toDate')],
  [calls.setupAccount, SETUP_INPUT],
  [calls.createAccountCategory, CATEGORY],
  [calls.createProfitCenter, CENTER],
  [calls.createLocation, LOCATION],
  [
    calls.postTransaction,
    [
      ...words('transactionID entityID'),
      { generalLedgerEntries: words('description accountID debit amount postingDate profitcenterid locationid') },
    ],
  ],
  [
    calls.createBankingAccount,
    [
      ...words('name accountNumber routingNumber glAccountID allowPayments allowDeposits creditCards'),
      { documentLinks: words('id documentId documentName deleted') },
    ],
  ],
  [
    calls.createReconciliation,
    [
      ...words('accountID bankAccountID statementDate statementBalance bankCharge bankChargeAccountID interest'),
      ...words('interestAccountID reconAmount documentLinks'),
      { incomingEntries: ['glid'] },
      { outgoingEntries: ['glid'] },
    ],
  ],
  [calls.createSalesTax, ['id', 'glAccountId', 'filingFrequency', { salesTaxItems: TAX_ITEM }]],
  [calls.createRole, [...ROLE, 'roleProperties']],
  [calls.createUser, USER],
  [calls.createProduct, PRODUCT_INPUT],
  [calls.createCategory, words('categoryID categoryName')],
  [calls.updateCategory, words('productCategoryID categoryName')],
  [calls.createDiscount, DISCOUNT_INPUT],
  [
    calls.createPackage,
    [
      ...words('packageID name description packageDealDiscountType goalPrice documentLinks'),
      { packageLineItems: PACKAGE_LINE },
    ],
  ],
  [calls.register, words('email password confirmPassword firstname lastname acceptedterms token')],
  [calls.resetPassword, words('token email password confirmPassword')],
];

function words(text: string): string[] {
  return text.split(/\s+/);
}

interface Def {
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  options?: readonly z.ZodType[];
}

/**
 * Returns the possible schemas of a field with this name, including schemas inside nested lists, optional fields, and
 * codecs.
 */
function under(schema: z.ZodType, name: string): z.ZodType[] {
  const { shape, element, innerType, in: wire, options = [] } = schema._zod.def as unknown as Def;
  const own = shape?.[name];
  if (own !== undefined) return [own];
  if (shape !== undefined) return [];
  return [element, innerType, wire, ...options].flatMap((each) => (each === undefined ? [] : under(each, name)));
}

function missingOf(schemas: readonly z.ZodType[], fields: Fields, path = ''): string[] {
  return fields.flatMap((field) => {
    if (typeof field === 'string') {
      return schemas.some((schema) => under(schema, field).length > 0) ? [] : [`${path}${field}`];
    }
    return Object.entries(field).flatMap(([name, below]) => {
      const found = schemas.flatMap((schema) => under(schema, name));
      return found.length === 0 ? [`${path}${name}`] : missingOf(found, below, `${path}${name}.`);
    });
  });
}

const named = (table: readonly [Endpoint, Fields][]) =>
  table.map(([endpoint, fields]) => [`${endpoint.method} ${endpoint.path}`, endpoint, fields] as const);

// Promise (input): Every call accepts and returns the fields in its specification. [71 calls]
test.each(named(ANSWERED))('%s returns every field that clients rely on', (_, { reply }, fields) => {
  expect(missingOf(typeof reply === 'string' ? [] : [reply], fields)).toEqual([]);
});

test.each(named(TAKEN))('%s accepts every field that clients rely on', (_, { body }, fields) => {
  expect(missingOf(body === undefined ? [] : [body], fields)).toEqual([]);
});
