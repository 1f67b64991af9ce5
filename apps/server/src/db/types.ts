// Generated from the database schema by `npm run generate`; do not edit.
import type { ColumnType, Generated } from 'kysely';

export interface AccountTable {
  company_id: number;
  id: number;
  master_account_id: number;
  account_number: string;
  account_name: string;
  account_type: string;
  root: string;
  contra: boolean;
  system: boolean;
  description: Generated<string>;
  category_id: number;
  active: Generated<boolean>;
  row_version: Generated<number>;
}

export interface AccountCategoryTable {
  company_id: number;
  id: Generated<number>;
  category_name: string;
  row_version: Generated<number>;
}

export interface AppUserTable {
  id: Generated<number>;
  email: string;
  password_hash: string | null;
  first_name: string;
  last_name: string;
  email_verified_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  terms_version: string | null;
  terms_accepted_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  terms_flag: Generated<boolean>;
  created_at: Generated<ColumnType<Date, Date | string, Date | string>>;
  row_version: Generated<number>;
}

export interface AuditLogTable {
  company_id: number;
  id: Generated<number>;
  at: Generated<ColumnType<Date, Date | string, Date | string>>;
  user_id: number;
  action: string;
  subject_type: string;
  subject_id: number;
  before: ColumnType<unknown | null, string | null, string | null>;
  after: ColumnType<unknown | null, string | null, string | null>;
  reason: string | null;
}

export interface BankingAccountTable {
  company_id: number;
  id: Generated<number>;
  name: string;
  account_number: Generated<string>;
  routing_number: Generated<string>;
  gl_account_id: number;
  allow_payments: Generated<boolean>;
  allow_deposits: Generated<boolean>;
  active: Generated<boolean>;
  row_version: Generated<number>;
}

export interface CompanyTable {
  company_id: Generated<number>;
  displayname: string;
  time_zone: Generated<string>;
  details: Generated<ColumnType<unknown, string, string>>;
  setup_completed: Generated<boolean>;
  demo: Generated<boolean>;
  created_at: Generated<ColumnType<Date, Date | string, Date | string>>;
  row_version: Generated<number>;
}

export interface EntityTable {
  company_id: number;
  id: Generated<number>;
  kind: number;
  displayname: string;
  name: string;
  email_address: Generated<string>;
  account_number: Generated<string>;
  is_individual: Generated<boolean>;
  details: Generated<ColumnType<unknown, string, string>>;
  sales_tax_scenario_id: number | null;
  tax_exempt: Generated<boolean>;
  tax_permit_no: Generated<string>;
  deleted: Generated<boolean>;
  created_at: Generated<ColumnType<Date, Date | string, Date | string>>;
  row_version: Generated<number>;
}

export interface ExtendedPropertyTable {
  company_id: number;
  id: Generated<number>;
  kind: number;
  display_name: string;
  data_type: number;
  row_version: Generated<number>;
}

export interface IdempotencyTable {
  company_id: number;
  key: string;
  user_id: number;
  request_hash: Buffer;
  status: number;
  reply: string;
  created_at: Generated<ColumnType<Date, Date | string, Date | string>>;
}

export interface InstallationTable {
  key: string;
  value: string;
}

export interface InvoiceTable {
  company_id: number;
  id: Generated<number>;
  invoice_number: string;
  invoice_date: string;
  due_date: string | null;
  customer_id: number;
  status: number;
  ar_account_id: number;
  tax_account_id: number | null;
  sales_tax_scenario_id: number | null;
  tax_snapshot: Generated<ColumnType<unknown, string, string>>;
  sales_tax_cents: number;
  total_cents: number;
  open_cents: number;
  entry_date: string;
  deleted: Generated<boolean>;
  row_version: Generated<number>;
}

export interface InvoiceLineTable {
  company_id: number;
  id: Generated<number>;
  invoice_id: number;
  line_no: number;
  product_id: number | null;
  description: string;
  service_date: string | null;
  item_price_cents: number;
  item_amount: ColumnType<string, string | number, string | number>;
  quantity: ColumnType<string, string | number, string | number>;
  taxable: boolean;
  account_id: number;
  profit_center_id: number | null;
  location_id: number | null;
  line_amount_cents: number;
  line_tax: ColumnType<string, string | number, string | number>;
  tax_items: Generated<ColumnType<unknown, string, string>>;
  deleted: Generated<boolean>;
}

export interface JobTable {
  company_id: number;
  id: Generated<number>;
  kind: string;
  payload: ColumnType<unknown, string, string>;
  run_at: Generated<ColumnType<Date, Date | string, Date | string>>;
  attempts: Generated<number>;
  last_error: string | null;
  done_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface JournalDraftTable {
  company_id: number;
  id: Generated<number>;
  transaction: ColumnType<unknown, string, string>;
  created_by: number;
  created_at: Generated<ColumnType<Date, Date | string, Date | string>>;
  row_version: Generated<number>;
}

export interface JournalLineTable {
  company_id: number;
  id: number;
  transaction_id: number;
  line_no: number;
  posting_date: string;
  account_id: number;
  amount_cents: number;
  basis: string;
  description: string;
  entity_id: number | null;
  profit_center_id: number | null;
  location_id: number | null;
  reverses: number | null;
}

export interface JournalTransactionTable {
  company_id: number;
  id: number;
  posting_no: number;
  posting_date: string;
  source_type: string;
  source_id: number;
  description: string;
  created_by: number;
  created_at: ColumnType<Date, Date | string, Date | string>;
  previous_hash: Buffer;
  hash: Buffer;
}

export interface LedgerHeadTable {
  company_id: number;
  next_transaction_id: Generated<number>;
  next_line_id: Generated<number>;
  next_posting_no: Generated<number>;
  next_invoice_number: Generated<number>;
  next_payment_number: Generated<number>;
  closing_date: string | null;
  last_hash: Generated<Buffer>;
}

export interface LedgerMonthTable {
  company_id: number;
  account_id: number;
  month: string;
  basis: string;
  profit_center_id: number;
  location_id: number;
  amount_cents: number;
  line_count: number;
}

export interface LocationTable {
  company_id: number;
  id: Generated<number>;
  name: string;
  details: Generated<ColumnType<unknown, string, string>>;
  active: Generated<boolean>;
  row_version: Generated<number>;
}

export interface MembershipTable {
  user_id: number;
  company_id: number;
  role_id: number;
  role_name: string;
  system_role: boolean;
  time_zone: string;
  permissions: string[];
}

export interface MigrationTable {
  name: string;
  checksum: string;
  applied_at: Generated<ColumnType<Date, Date | string, Date | string>>;
}

export interface PaymentTable {
  company_id: number;
  id: Generated<number>;
  payment_number: string;
  customer_id: number;
  payment_date: string;
  amount_cents: number;
  unapplied_cents: number;
  payment_type_id: number | null;
  reference_number: Generated<string>;
  check_number: Generated<string>;
  description: Generated<string>;
  bank_account_id: number | null;
  payment_account_id: number | null;
  gl_account_id: number;
  ar_account_id: number;
  entry_date: string;
  deleted: Generated<boolean>;
  row_version: Generated<number>;
}

export interface PaymentApplicationTable {
  company_id: number;
  payment_id: number;
  invoice_id: number;
  amount_cents: number;
  recognition_date: string;
}

export interface PaymentTypeTable {
  company_id: number;
  id: number;
  display_name: string;
}

export interface ProductTable {
  company_id: number;
  id: Generated<number>;
  name: string;
  description: string;
  version: Generated<string>;
  sales_price_cents: number;
  taxable: boolean;
  product_service_type: number;
  product_category_id: number | null;
  gl_account_id: number;
  profit_center_id: number | null;
  start_date: string | null;
  end_date: string | null;
  active: Generated<boolean>;
  row_version: Generated<number>;
}

export interface ProductCategoryTable {
  company_id: number;
  id: Generated<number>;
  category_name: string;
  row_version: Generated<number>;
}

export interface ProfitCenterTable {
  company_id: number;
  id: Generated<number>;
  name: string;
  active: Generated<boolean>;
  row_version: Generated<number>;
}

export interface RateLimitTable {
  key: string;
  window_start: ColumnType<Date, Date | string, Date | string>;
  count: number;
}

export interface RoleTable {
  company_id: number;
  id: Generated<number>;
  role_name: string;
  system_role: Generated<boolean>;
  permissions: string[];
  row_version: Generated<number>;
}

export interface SalesTaxItemTable {
  company_id: number;
  id: Generated<number>;
  scenario_id: number;
  label: string;
  sales_tax_type: number;
  percentage: ColumnType<string, string | number, string | number>;
  deleted: Generated<boolean>;
}

export interface SalesTaxScenarioTable {
  company_id: number;
  id: Generated<number>;
  gl_account_id: number;
  filing_frequency: number;
  row_version: Generated<number>;
}

export interface SessionTable {
  token_hash: Buffer;
  user_id: number;
  company_id: number;
  created_at: Generated<ColumnType<Date, Date | string, Date | string>>;
  last_seen_at: Generated<ColumnType<Date, Date | string, Date | string>>;
  expires_at: ColumnType<Date, Date | string, Date | string>;
}

export interface SettingTable {
  company_id: number;
  id: number;
  setting_name: string;
  setting_value: string;
  row_version: Generated<number>;
}

export interface TokenTable {
  token_hash: Buffer;
  kind: string;
  user_id: number | null;
  created_at: Generated<ColumnType<Date, Date | string, Date | string>>;
  expires_at: ColumnType<Date, Date | string, Date | string>;
  used_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

export interface DB {
  account: AccountTable;
  account_category: AccountCategoryTable;
  app_user: AppUserTable;
  audit_log: AuditLogTable;
  banking_account: BankingAccountTable;
  company: CompanyTable;
  entity: EntityTable;
  extended_property: ExtendedPropertyTable;
  idempotency: IdempotencyTable;
  installation: InstallationTable;
  invoice: InvoiceTable;
  invoice_line: InvoiceLineTable;
  job: JobTable;
  journal_draft: JournalDraftTable;
  journal_line: JournalLineTable;
  journal_transaction: JournalTransactionTable;
  ledger_head: LedgerHeadTable;
  ledger_month: LedgerMonthTable;
  location: LocationTable;
  membership: MembershipTable;
  migration: MigrationTable;
  payment: PaymentTable;
  payment_application: PaymentApplicationTable;
  payment_type: PaymentTypeTable;
  product: ProductTable;
  product_category: ProductCategoryTable;
  profit_center: ProfitCenterTable;
  rate_limit: RateLimitTable;
  role: RoleTable;
  sales_tax_item: SalesTaxItemTable;
  sales_tax_scenario: SalesTaxScenarioTable;
  session: SessionTable;
  setting: SettingTable;
  token: TokenTable;
}
