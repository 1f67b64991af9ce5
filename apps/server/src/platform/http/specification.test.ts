import { afterAll, beforeAll, expect, test } from 'vitest';
import { areas } from '../../../../../scripts/generate/specification.data.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { multipart } from '../../testing/files.ts';
import { PASSWORD } from '../../testing/world.ts';

/**
 * A client that knows only the specification. Its calls use only the specified fields, and it sends responses back with
 * only these fields.
 */
const FIELDS = new Set(
  `id displayname name dba emailAddress emails accountNumber isIndividual phones contacts contactList phoneList
  addresses extendedProperties primaryContactName primaryContactEmail primaryContactPhone deleted currentbalance
  phoneID displayNumber phoneType allowText primary isPrimary contact firstName lastName title phoneNumber
  newcontact addressType addressID attention address1 address2 city state stateId zipCode plusFour county
  municipality province provinceId provinceName postalCode countryId displayAddress baseExtendedPropertyId
  propertyValue dataType settingName settingValue changed invoiceid invoiceNumber invoiceDate dueDate customerId
  customerDisplayName arBillingStatus lineItems salesTaxAmount invoiceAmount salesTaxScenario entryDate openAmount
  readyToPay productId packageId discountId isProduct isPackage isDiscount itemPrice itemAmount quantity
  description serviceDate taxable isProductLine accountId profitCenterId locationId lineItemAmount lineItemTax
  taxItems salesTaxType total fromDate toDate vendorId vendorDisplayName postingDate postToVendorAccount
  documentLinks creditLine paymentDate paymentAmount paymentRefNo paymentCheckNo paymentDescription bankAccountId
  paymentAccountId paymentApplications invoiceId amount invoiceDescription paymentNumber paymentRefNumber
  documentId documentName uploadDate filePath workitemDate totalAmount displayName included workItemCount email
  password confirmPassword firstname lastname acceptedterms token Email Baseurl termsAccepted customerAccountID
  accountNumberLabel accountNameLabel masterAccountID selected transactionID entityID generalLedgerEntries
  accountID accountname debit profitcenterid profitcentername locationid locationname bankingAccountID
  routingNumber glAccountID allowPayments allowDeposits creditCards currentBalance lastReconciledDate
  lastReconciledBalance incomingEntries outgoingEntries bankAccountID statementDate statementBalance bankCharge
  bankChargeAccountID interest interestAccountID reconAmount glid debitAmount creditAmount balance
  displayAccountLabel reportParams paramType paramName paramvalue glAccountId filingFrequency salesTaxItems label
  percentage displayLabel displayValue roleName systemRole roleProperties roleId userRole baseURL
  colonyBooksTermsAccepted productID version salesPrice productCategoryID categoryName GLAccountID profitCenterID
  startDate startDateInUse endDate endDateInUse productServiceType categoryID discountID discountType
  discountTypeTarget discountPercentage discountFlatValue packageID packageDealDiscountType goalPrice
  packageTotalPrice packageLineItems packageLineItemID isAProductLine totalLineItemValue smartDiscount
  smartDiscountID percentageValue displayPercentage displayAmount flatvalue locationName country`.split(/\s+/),
);

type Json = Record<string, unknown>;
type Reply = Json & { id: number };

let t: TestApp;
let token: string;
const made = new Set<string>();

beforeAll(async () => {
  t = await startTestApp({ config: { signUp: 'open', publicUrl: 'https://books.example' } });
  ({ token } = t.world.company.administrator);
});
afterAll(() => t.close());

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Returns a value with only the specified fields. */
function specified(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(specified);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (FIELDS.has(key) ? [[key, specified(inner)]] : [])),
  );
}

/** Makes a call that the specification defines. An error fails the test with its message. */
async function ask(call: string, params: Json = {}, body?: unknown, headers: Json = {}): Promise<Reply> {
  made.add(call);
  const [method = '', path = ''] = call.split(' ');
  const url = Object.entries(params).reduce((text, [name, value]) => text.replace(`{${name}}`, String(value)), path);
  const sent = Buffer.isBuffer(body) ? body : specified(body);
  expect(sent).toEqual(body);
  const request = { method: method as 'GET', url: `/api/${url}`, token, body: sent, headers: headers as never };
  const answer = await t.request(request);
  expect({ call, status: answer.status, said: answer.status < 300 || answer.body }).toEqual({
    call,
    status: 200,
    said: true,
  });
  return answer.body as Reply;
}

/** Reads a record, sends it back unchanged, and reads it again. */
async function roundTrip(get: string, put: string, params: Json): Promise<Reply> {
  const read = await ask(get, params);
  await ask(put, params, specified(read));
  return ask(get, params);
}

const DAY = '2026-03-10T00:00:00.000Z';
const line = (given: Json = {}): Json => ({
  id: -1,
  productId: 0,
  packageId: 0,
  discountId: 0,
  isProduct: false,
  isPackage: false,
  isDiscount: false,
  itemPrice: 100,
  itemAmount: 100,
  quantity: 1,
  description: 'Hedge trimming',
  serviceDate: DAY,
  taxable: true,
  isProductLine: false,
  accountId: 140,
  profitCenterId: 0,
  locationId: 0,
  lineItemAmount: 100,
  lineItemTax: 0,
  taxItems: [],
  deleted: false,
  ...given,
});
const entity = (displayname: string): Json => ({
  id: 0,
  displayname,
  name: displayname,
  dba: '',
  emailAddress: 'office@oak.example',
  emails: ['office@oak.example'],
  accountNumber: '',
  isIndividual: false,
  phones: [
    { phoneID: -1, displayNumber: '555-0116', phoneType: 'Work', allowText: false, primary: true, deleted: false },
  ],
  contacts: [],
  addresses: [
    {
      addressType: 1,
      addressID: 0,
      attention: '',
      address1: '12 Oak Street',
      address2: '',
      city: 'Akron',
      state: 'OH',
      zipCode: '44301',
      plusFour: '',
      county: '',
      countryId: 341,
    },
  ],
  extendedProperties: [],
  deleted: false,
  currentbalance: 0,
});

test('lookups and settings work with the specified fields', async () => {
  const lookups = `customer vendor product productsandpackages customeraccounts customeraccounts/paymentaccounts
    customeraccounts/revenueaccounts bankingaccount customersettings countries profitcenters locations paymenttypes
    salestax company loginroles userroles roles users useradmin billingstatuses billinginvoice expenseinvoice workitems
    workiteminvoice customerchartofaccounts accounts accountcategories reconciledaccounts ProductCategory discount
    package GlobalDocument/TermsOfService GlobalDocument/privacyPolicy`;
  for (const path of lookups.split(/\s+/)) await ask(`GET ${path}`);
  await ask('GET bankingaccount/AvailableGLAccounts/{accountIdInUse}', { accountIdInUse: 0 });
  for (const kind of [1, 2]) await ask('GET stateprovince/{kind}', { kind });
  for (const kind of [0, 1, 2]) await ask('GET entitydetails/{kind}', { kind });
  const { customerSettingItems } = (await ask('GET customersettings')) as unknown as { customerSettingItems: Json[] };
  for (const { id, settingName, settingValue } of customerSettingItems) {
    await ask('POST customersettings', {}, { id, settingName, settingValue, changed: true });
  }
  for (const settingValue of [true, 'true']) {
    await ask('POST customersettings', {}, { id: 0, settingName: 'useWalkthroughs', settingValue, changed: true });
  }
  const { id } = await ask('GET company');
  await roundTrip('GET company/{id}', 'PUT company/{id}', { id });
  await ask('POST company', {}, specified(await ask('GET company')));
});

test('short lists and the catalog work with the specified fields', async () => {
  const category = await ask('POST accountcategories', {}, { id: 0, categoryName: 'Vehicles' });
  await ask('PUT accountcategories/{id}', { id: category.id }, { id: category.id, categoryName: 'Trucks' });
  await ask('DELETE accountcategories/{id}', { id: category.id });
  const center = await ask('POST profitcenters', {}, { profitcenterid: 0, profitcentername: 'North' });
  await ask('PUT profitcenters', {}, specified({ ...center, profitcentername: 'South' }));
  await ask('DELETE profitcenters/{profitcenterid}', center);
  const location = await ask(
    'POST locations',
    {},
    {
      locationId: 0,
      locationName: 'Yard',
      address1: '',
      address2: '',
      city: '',
      state: '',
      county: '',
      country: '',
      postalCode: '',
    },
  );
  await ask('PUT locations', {}, specified({ ...location, city: 'Akron' }));
  const kind = await ask('POST ProductCategory/CreateProductCategory', {}, { categoryID: 0, categoryName: 'Garden' });
  await ask('PUT ProductCategory/UpdateProductCategory', {}, specified({ ...kind, categoryName: 'Gardens' }));
  const dates = { startDate: null, startDateInUse: false, endDate: DAY, endDateInUse: false };
  const own = {
    productCategoryID: kind['productCategoryID'],
    categoryName: 'Gardens',
    GLAccountID: 140,
    profitCenterID: 0,
  };
  const named = { name: 'Mowing', description: 'Lawn mowing' };
  const product = await ask(
    'POST product/CreateProduct',
    {},
    {
      productID: 0,
      entityID: 0,
      ...named,
      version: '',
      salesPrice: 40,
      taxable: true,
      productServiceType: 2,
      ...own,
      ...dates,
      documentLinks: [],
    },
  );
  const { productID } = product;
  await ask('PUT product/UpdateProduct', {}, specified(await ask('GET product/{id}', { id: productID })));
  const discount = await ask(
    'POST discount/CreateDiscount',
    {},
    {
      discountID: 0,
      name: 'Loyal',
      description: 'Loyal customer',
      discountType: 1,
      discountTypeTarget: 2,
      discountPercentage: 10,
      discountFlatValue: 0,
      ...own,
      GLAccountID: 143,
      ...dates,
    },
  );
  const { discountID } = discount;
  await ask('PUT discount/UpdateDiscount', {}, specified(discount));
  const part = { packageLineItemID: -1, quantity: 1, totalLineItemValue: 40 };
  const deal = await ask(
    'POST package/CreatePackage',
    {},
    {
      packageID: 0,
      entityID: 0,
      name: 'Spring',
      description: 'Spring deal',
      packageDealDiscountType: 1,
      goalPrice: 0,
      packageTotalPrice: 36,
      smartDiscount: null,
      documentLinks: [],
      packageLineItems: [
        { ...part, productID, discountID: 0, isAProductLine: true },
        { ...part, packageLineItemID: -2, productID: 0, discountID, isAProductLine: false, totalLineItemValue: -4 },
      ],
    },
  );
  const { packageID } = deal;
  await ask('PUT package/UpdatePackage', {}, specified(await ask('GET package/{id}', { id: packageID })));
  const drop = async (call: string, params: Json): Promise<void> => {
    const [name, id] = Object.entries(params)[0] ?? [];
    made.add(call);
    expect(
      (await t.request({ method: 'DELETE', url: `/api/${call.slice(7)}?${name}=${String(id)}`, token })).status,
    ).toBe(200);
  };
  await drop('DELETE package/DeletePackage', { PackageID: packageID });
  await drop('DELETE discount/DeleteDiscount', { DiscountID: discountID });
  await drop('DELETE product/DeleteProduct', { ProductID: productID });
  await drop('DELETE ProductCategory/DeleteProductCategory', { ProductCategoryID: kind['productCategoryID'] });
});

test('customers, invoices, work items, and customer payments work with the specified fields', async () => {
  const customer = await ask('POST customer', {}, entity('Oak Hollow'));
  const { id: customerId } = customer;
  await roundTrip('GET customer/{id}', 'PUT customer/{id}', { id: customerId });
  const head = {
    id: 0,
    invoiceNumber: '',
    invoiceDate: DAY,
    dueDate: DAY,
    customerId,
    customerDisplayName: 'Oak Hollow',
  };
  const sums = {
    salesTaxAmount: 0,
    invoiceAmount: 100,
    salesTaxScenario: null,
    entryDate: DAY,
    openAmount: 100,
    readyToPay: false,
  };
  const invoice = await ask('POST billinginvoice', {}, { ...head, arBillingStatus: 2, lineItems: [line()], ...sums });
  const read = await ask('GET billinginvoice/{id}', { id: invoice.id });
  expect(read).toMatchObject({ invoiceDate: '2026-03-10', dueDate: '2026-03-10', invoiceAmount: 100 });
  await ask('PUT billinginvoice', {}, specified(read));
  await ask('GET invoiceview/{id}', { id: invoice.id });
  const { documentId } = await upload();
  const link = { id: 0, documentId, documentName: 'check.pdf', uploadDate: DAY, filePath: '', deleted: false };
  const application = { invoiceId: invoice.id, profitCenterId: 0, locationId: 0, amount: 60, invoiceDescription: '' };
  const money = { paymentDate: DAY, paymentAmount: 60, paymentRefNo: '17', paymentCheckNo: '', paymentDescription: '' };
  const from = { bankAccountId: 1, paymentAccountId: 0, accountId: 0, entryDate: DAY };
  const payment = await ask(
    'POST billingpayment',
    {},
    {
      id: 0,
      customerId,
      ...money,
      ...from,
      documentLinks: [link],
      paymentApplications: [application],
      paymentNumber: '',
      paymentRefNumber: '17',
    },
  );
  expect(payment).toMatchObject({ paymentAmount: 60, paymentTypeId: 1 });
  await ask('GET document/{documentId}', { documentId });
  const payments = await ask('GET billingpayment/{id}', { id: payment.id });
  await ask('PUT billingpayment', {}, specified({ ...payments, paymentAmount: 70 }));
  await ask('GET customeropeninvoices/{customerId}', { customerId });
  await ask('GET customeropeninvoices/{customerId}/{paymentId}', { customerId, paymentId: payment.id });
  await ask('GET customerbillinghistory/{customerId}', { customerId });
  await ask('PUT BillingInvoiceHistory', {}, { fromDate: '2026-02-20T05:00:00.000Z', toDate: '3/20/2026' });
  await ask('DELETE billingpayment/{id}', { id: payment.id });
  await ask('DELETE billinginvoice/{id}', { id: invoice.id });
  const ofLines = ['lineItemAmount', 'lineItemTax', 'taxItems', 'deleted'];
  const own = Object.fromEntries(Object.entries(line({ id: 0 })).filter(([key]) => !ofLines.includes(key)));
  const dated = { workitemDate: DAY, dueDate: DAY, entryDate: DAY, totalAmount: 100, displayName: '' };
  const item = await ask('POST workitems', {}, { ...own, customerId, customerDisplayName: 'Oak Hollow', ...dated });
  await ask('PUT workitems', {}, specified(await ask('GET workitems/{id}', { id: item.id })));
  const [candidate] = (await ask('GET workiteminvoice')) as unknown as Json[];
  const billed = await ask('POST workiteminvoice', {}, specified({ ...candidate, included: true }));
  expect(billed).toMatchObject({ invoiceAmount: 100 });
  const other = await ask('POST workitems', {}, { ...own, customerId, customerDisplayName: 'Oak Hollow', ...dated });
  await ask('DELETE workitems/{id}', { id: other.id });
  await ask('DELETE customer/{id}', { id: (await ask('POST customer', {}, entity('Elm Grove'))).id });
});

async function upload(): Promise<{ documentId: number }> {
  const { headers, body } = multipart('check.pdf', '%PDF-1.7 check');
  return (await ask('POST document', {}, body, headers)) as unknown as { documentId: number };
}

test('vendors, expense invoices, and expense payments work with the specified fields', async () => {
  const { id: vendorId } = await ask('POST vendor', {}, entity('Summit Supply'));
  await roundTrip('GET vendor/{id}', 'PUT vendor/{id}', { id: vendorId });
  const bought = {
    id: -1,
    description: 'Fuel',
    lineItemAmount: 80,
    accountId: 160,
    profitCenterId: 0,
    creditLine: false,
  };
  const bill = await ask(
    'POST expenseinvoice',
    {},
    {
      id: 0,
      vendorId,
      vendorDisplayName: 'Summit Supply',
      invoiceNumber: 'S-1',
      locationId: 0,
      invoiceDate: DAY,
      dueDate: DAY,
      postingDate: DAY,
      postToVendorAccount: true,
      invoiceAmount: 80,
      openAmount: 80,
      entryDate: DAY,
      lineItems: [{ ...bought, deleted: false }],
      documentLinks: [],
    },
  );
  await ask('PUT expenseinvoice', {}, specified(await ask('GET expenseinvoice/{id}', { id: bill.id })));
  await ask('GET vendorinvoice/GetVendorInvoices/{vendorId}', { vendorId });
  const payment = await ask(
    'POST expensepayment',
    {},
    {
      id: 0,
      vendorId,
      paymentDate: DAY,
      paymentAmount: 50,
      paymentRefNo: '',
      bankAccountId: 1,
      paymentAccountId: 0,
      paymentDescription: '',
      paymentCheckNo: '101',
      locationId: 0,
      entryDate: DAY,
      documentLinks: [],
      paymentApplications: [{ invoiceId: bill.id, profitCenterId: 0, amount: 50 }],
    },
  );
  await ask('PUT expensepayment', {}, specified(await ask('GET expensepayment/{id}', { id: payment.id })));
  await ask('GET vendoropeninvoices/{vendorId}', { vendorId });
  await ask('GET vendoropeninvoices/{vendorId}/{paymentId}', { vendorId, paymentId: payment.id });
  const second = await ask(
    'POST expenseinvoice',
    {},
    {
      id: 0,
      vendorId,
      invoiceNumber: 'S-2',
      invoiceDate: DAY,
      lineItems: [bought],
    },
  );
  await ask('DELETE expenseinvoice/{id}', { id: second.id });
  await ask('DELETE vendor/{id}', { id: (await ask('POST vendor', {}, entity('Valley Tools'))).id });
});

test('accounts, journal entries, banking, and reconciliation work with the specified fields', async () => {
  const { id: companyId } = await ask('GET company');
  const masters = (await ask('GET accounts')) as unknown as Json[];
  const masterOf = (type: string) => masters.find(({ accountTypeLabel }) => accountTypeLabel === type)?.['id'];
  const named = { description: '', accountNumberLabel: '6999', accountNameLabel: 'Uniforms', selected: true };
  const account = await ask(
    'PUT accountsetup',
    {},
    { customerAccountID: 0, masterAccountID: masterOf('Expense'), ...named },
  );
  await ask('PUT accountsetup', {}, specified({ ...account, accountNameLabel: 'Work clothes' }));
  const own = { profitcenterid: 0, profitcentername: '', locationid: 0, locationname: '', postingDate: DAY };
  const entry = { description: 'Owner pays in', amount: 500, ...own };
  const posted = await ask(
    'POST GeneralLedger/PostTransaction',
    {},
    {
      transactionID: 0,
      entityID: companyId,
      generalLedgerEntries: [
        { accountID: 101, accountname: 'Checking', debit: true, ...entry },
        { accountID: 140, accountname: 'Sales', debit: false, ...entry },
      ],
    },
  );
  expect(posted).toMatchObject({ entityID: 0 });
  await ask('GET GeneralLedger/GetTransactionEntriesFromID/{transactionId}', {
    transactionId: posted['transactionID'],
  });
  await ask('GET GeneralLedger/GetAccountEntries/{customerAccountId}', { customerAccountId: 101 });
  const savings = await ask(
    'PUT accountsetup',
    {},
    {
      ...named,
      customerAccountID: 0,
      masterAccountID: masterOf('Bank'),
      accountNameLabel: 'Reserve',
      accountNumberLabel: '1015',
    },
  );
  const bank = await ask(
    'POST bankingaccount',
    {},
    {
      bankingAccountID: 0,
      accountNumber: '000123456789',
      routingNumber: '021000021',
      entityID: companyId,
      name: 'Savings',
      glAccountID: savings['customerAccountID'],
      allowPayments: true,
      allowDeposits: true,
      creditCards: true,
      documentLinks: [],
      currentBalance: 0,
      lastReconciledDate: null,
      lastReconciledBalance: 0,
    },
  );
  const bankId = bank['bankingAccountID'];
  const read = await ask('GET bankingAccount/GetBankingAccount/{id}', { id: bankId });
  expect(read).toMatchObject({ creditCards: true });
  await ask('PUT bankingaccount/{id}', { id: bankId }, specified(read));
  await ask('DELETE bankingaccount/{id}', { id: bankId });
  const sides = await ask('GET Reconciliation/GetUnreconciledEntries/{glAccountId}', { glAccountId: 101 });
  const incoming = (sides as unknown as { incomingEntries: Json[] }).incomingEntries;
  const received = incoming.filter(({ transactionID }) => transactionID === posted['transactionID']);
  const saved = await ask(
    'POST Reconciliation',
    {},
    {
      incomingEntries: specified(received),
      outgoingEntries: [],
      accountID: 101,
      bankAccountID: 1,
      statementDate: DAY,
      statementBalance: 498,
      bankCharge: 3,
      bankChargeAccountID: 160,
      interest: 1,
      interestAccountID: 140,
      reconAmount: 498,
    },
  );
  const id = saved['reconciliationID'];
  await ask('GET reconciliation/GetSingleReconciliation/{id}', { id });
  await ask('GET reconciliation/{bankAccountId}', { bankAccountId: 1 });
  await ask('DELETE reconciliation/{id}', { id });
});

test('reports, cards, sales tax, and search work with the specified fields', async () => {
  const date = { paramType: 1, paramName: 'reportdate', paramvalue: '3/31/2026' };
  const start = { paramType: 1, paramName: 'startdate', paramvalue: '2026-01-01T00:00:00.000Z' };
  const all = ['locationid', 'profitcenterid'].map((paramName) => ({ paramType: 0, paramName, paramvalue: 0 }));
  for (const reportId of [0, 1, 3, 7, 17]) {
    await ask('POST reports/{reportId}', { reportId }, { reportParams: [date, start, ...all] });
  }
  const types = ['periodType', 'pltype'].map((paramName) => ({ paramType: 3, paramName, paramvalue: 0 }));
  const cards = `billingreport expensereport accountingcard accountingcard/cashpositions accountingcard/expensebreakdown
    accountingcard/currentratio accountingcard/profitmargin
    accountingcard/returnonassets accountingcard/revenuevsexpense`;
  for (const path of cards.split(/\s+/)) await ask(`PUT ${path}`, {}, { reportParams: [date, ...types] });
  const item = { id: -1, label: 'Ohio', salesTaxType: 0, percentage: 5.75, deleted: false };
  const scenario = { id: 0, glAccountId: 123, filingFrequency: 2, salesTaxItems: [item] };
  const { id } = await ask('POST salestax', {}, scenario);
  await roundTrip('GET salestax/{id}', 'PUT salestax/{id}', { id });
  await ask('POST search', {}, 'Oak');
});

test('users, roles, and sign-in work with the specified fields', async () => {
  const role = await ask('POST userroles', {}, { id: 0, roleName: 'Clerk', roleProperties: ['View Billing'] });
  await ask('PUT userroles', {}, specified(await ask('GET userroles/{id}', { id: role.id })));
  const person = { firstName: 'Pat', lastName: 'Field', email: 'pat@oak.example', roleId: role.id };
  const terms = { baseURL: 'https://books.example', colonyBooksTermsAccepted: true };
  const user = await ask('POST useradmin', {}, { id: 0, ...person, ...terms });
  const letters = await t.runJobs();
  const invited = new URL(letters.find(({ to }) => to.includes('pat@'))?.link ?? '');
  const registration = { email: 'pat@oak.example', password: PASSWORD, confirmPassword: PASSWORD };
  await ask(
    'POST register',
    {},
    {
      ...registration,
      firstname: 'Pat',
      lastname: 'Field',
      acceptedterms: true,
      token: tokenOf(invited),
    },
  );
  await ask('PUT useradmin', {}, specified(await ask('GET useradmin/{id}', { id: user.id })));
  await roundTrip('GET user/{id}', 'PUT user/{id}', { id: user.id });
  await ask('POST login', {}, { email: 'pat@oak.example', password: PASSWORD });
  await ask('POST register/forgotpassword', {}, { Email: 'pat@oak.example', Baseurl: 'https://books.example' });
  const reset = tokenOf(new URL((await t.runJobs()).at(-1)?.link ?? ''));
  await ask('POST validate-reset-token', {}, { token: reset });
  await ask('POST register/reset-password', {}, { ...registration, token: reset });
  await ask('PUT UserAdmin/UpdateUserTerms', {}, { termsAccepted: true });
  token = (await t.login(t.world.company.administrator.email)).token;
  await ask('DELETE user/{id}', { id: user.id });
  const again = await ask('POST useradmin', {}, { id: 0, ...person, email: 'sam@oak.example', ...terms });
  await ask('DELETE useradmin/{id}', { id: again.id });
  await ask('DELETE userroles/{id}', { id: role.id });
});

const tokenOf = (link: URL): string => new URLSearchParams(link.search || link.hash.slice(1)).get('token') ?? '';

test('the tests make every call in the specification', () => {
  const calls = areas
    .filter(({ isCalls }) => isCalls === true)
    .flatMap(({ facts }) => facts.map((fact) => (typeof fact === 'string' ? fact : fact.fact)));
  // A verification link is emailed only after a registration without an invitation, which across/auth/register.test.ts
  // tests.
  expect(calls.filter((call) => !made.has(call))).toEqual(['POST verify-email']);
});
