import type { AccountItem } from '@evenkeel/contract/ledger';
import { AP, AR } from '@evenkeel/core/books/accounts';
import { DEFAULT_CUSTOMER } from '@evenkeel/core/setup';
import type { ComponentType, ReactNode } from 'react';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import type { SetupForm, StepId } from './setupForm.ts';
import type { Setup } from './useSetup.ts';

interface StepProps {
  setup: Setup;
  accounts: readonly AccountItem[];
}

/** The title, the line below it and the fields of one step. */
export function StepBody(props: StepProps) {
  const Body = BODIES[props.setup.step];
  return (
    <div className="su-in">
      <Body {...props} />
    </div>
  );
}

const BODIES: Readonly<Record<StepId, ComponentType<StepProps>>> = {
  welcome: Welcome,
  company: CompanyStep,
  financials: Financials,
  customers: Customers,
  expenses: Expenses,
  products: Products,
};

function Head({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1>{title}</h1>
      <p className="su-lead">{children}</p>
    </>
  );
}

/** The value of a text field with its message and the way to change it. */
function bind<Name extends keyof SetupForm>({ values, errorOf, patch }: Setup, name: Name) {
  return {
    value: values[name],
    error: errorOf(name),
    onChange: (value: SetupForm[Name]) => patch({ [name]: value }),
  };
}

function Welcome() {
  return (
    <>
      <Head title="Welcome to Evenkeel">
        Your books are there already, with a chart of accounts. A few answers make them yours; this takes about two
        minutes.
      </Head>
      <ul className="su-list">
        <li>Your company, and the two accounts for money owed</li>
        <li>A first customer, vendor and product, each of which can wait</li>
      </ul>
      <p className="ek-muted ek-small">Everything can be changed later. Nothing is saved before the last step.</p>
    </>
  );
}

function CompanyStep({ setup }: StepProps) {
  return (
    <>
      <Head title="Company">The name that your customers know, as it stands on invoices and statements.</Head>
      <TextField
        {...bind(setup, 'companyName')}
        label="Company Name"
        maxLength={200}
        autoComplete="organization"
        autoFocus
      />
    </>
  );
}

function Financials({ setup, accounts }: StepProps) {
  const { values, patch, errorOf } = setup;
  return (
    <>
      <Head title="Financials">
        Two accounts collect what customers owe you and what you owe vendors. The usual ones are filled in; most
        companies keep them.
      </Head>
      <DefaultAccount
        check="Use the default A/R account"
        hint="What customers owe, from each invoice until it is paid"
        label="A/R Account"
        type="Accounts Receivable"
        fixed={AR}
        isFixed={values.useDefaultAR}
        accounts={accounts}
        value={values.defaultARAccountId}
        error={errorOf('defaultARAccountId')}
        onFixed={(useDefaultAR) => patch({ useDefaultAR })}
        onChange={(defaultARAccountId) => patch({ defaultARAccountId })}
      />
      <DefaultAccount
        check="Use the default A/P account"
        hint="What you owe vendors, from each bill until it is paid"
        label="A/P Account"
        type="Accounts Payable"
        fixed={AP}
        isFixed={values.useDefaultAP}
        accounts={accounts}
        value={values.defaultAPAccountId}
        error={errorOf('defaultAPAccountId')}
        onFixed={(useDefaultAP) => patch({ useDefaultAP })}
        onChange={(defaultAPAccountId) => patch({ defaultAPAccountId })}
      />
      <p className="ek-muted ek-small">Both can be changed later in Settings, Financial Info.</p>
    </>
  );
}

interface DefaultAccountProps {
  check: string;
  hint: string;
  label: string;
  /** Accounts of this type are offered. */
  type: string;
  /** The usual account, which the check locks. */
  fixed: number;
  isFixed: boolean;
  accounts: readonly AccountItem[];
  value: number | null;
  error: string | undefined;
  onFixed: (isFixed: boolean) => void;
  onChange: (id: number | null) => void;
}

function DefaultAccount({ fixed, isFixed, accounts, ...props }: DefaultAccountProps) {
  const options = accounts
    .filter((account) => account.displayAccountType === props.type)
    .map(({ customerAccountID: id, displayAccountLabel: label }) => ({ id, label }));
  return (
    <section className="su-account" aria-label={props.label}>
      <CheckField label={props.check} hint={props.hint} value={isFixed} onChange={props.onFixed} />
      <Picker
        label={props.label}
        options={options}
        value={isFixed ? fixed : props.value}
        readOnly={isFixed}
        hint={isFixed ? undefined : `Any account of the type ${props.type}.`}
        error={props.error}
        onChange={props.onChange}
      />
    </section>
  );
}

function Customers({ setup }: StepProps) {
  const isOne = setup.values.useDefaultCustomer;
  return (
    <>
      <Head title="Customers">
        Somebody you send invoices to. Leave the fields empty if you would rather add customers later.
      </Head>
      <TextField {...bind(setup, 'customerName')} label="Customer Name" maxLength={200} disabled={isOne} autoFocus />
      <TextField {...bind(setup, 'customerEmail')} label="Email" kind="email" maxLength={254} disabled={isOne} />
      <CheckField
        {...bind(setup, 'useDefaultCustomer')}
        label="Use Single Default Customer"
        hint={`For sales over the counter: one customer, called ${DEFAULT_CUSTOMER}, stands for all`}
      />
    </>
  );
}

function Expenses({ setup }: StepProps) {
  return (
    <>
      <Head title="Expenses">
        Somebody whose bills you pay. Leave the fields empty if you would rather add vendors later.
      </Head>
      <TextField {...bind(setup, 'vendorName')} label="Vendor Name" maxLength={200} autoFocus />
      <TextField {...bind(setup, 'vendorEmail')} label="Email" kind="email" maxLength={254} />
    </>
  );
}

function Products({ setup }: StepProps) {
  return (
    <>
      <Head title="Products">
        Something you sell, goods or a service. Leave the fields empty if you would rather add products later.
      </Head>
      <TextField {...bind(setup, 'productName')} label="Product Name" maxLength={200} autoFocus />
      <div className="su-price">
        <MoneyField {...bind(setup, 'productPrice')} label="Price" />
      </div>
    </>
  );
}
