import type { AccountItem } from '@evenkeel/contract/ledger';
import { AP, AR } from '@evenkeel/core/books/accounts';
import { DEFAULT_CUSTOMER } from '@evenkeel/core/setup';
import { checkLogo, LOGO_TYPES } from '@evenkeel/core/logo';
import { MONTHS } from '@evenkeel/core/dates';
import { contentTypeOf, HEAD_BYTES } from '@evenkeel/core/documents/attachments';
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { messageOf, newKey } from '../../client/api.ts';
import { uploadFile } from '../../parts/attachments/uploadFile.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { CheckField } from '../../ui/fields/CheckField.tsx';
import { FilePicker } from '../../ui/fields/FileDrop.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { QuantityField } from '../../ui/fields/QuantityField.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import type { SetupForm, StepId } from './setupForm.ts';
import type { Setup } from './useSetup.ts';

interface StepProps {
  setup: Setup;
  accounts: readonly AccountItem[];
}

/** The title, the description, and the fields of a step. */
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

/** Returns a text field's value, message, and change handler. */
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
        Your books already have a chart of accounts. Answer a few questions to set up your company. It takes about two
        minutes.
      </Head>
      <ul className="su-list">
        <li>Your company, its address, and its logo</li>
        <li>Your fiscal year, sales tax, and receivable and payable accounts</li>
        <li>Your first customer, vendor, and product (you can skip these)</li>
      </ul>
      <p className="ek-muted ek-small">
        You can change everything later. Your answers take effect after the last step.
      </p>
    </>
  );
}

function CompanyStep({ setup }: StepProps) {
  return (
    <>
      <Head title="Company">The name that appears on invoices and statements.</Head>
      <TextField
        {...bind(setup, 'companyName')}
        label="Company Name"
        maxLength={200}
        autoComplete="organization"
        autoFocus
      />
      <TextField {...bind(setup, 'address1')} label="Street Address" maxLength={200} autoComplete="address-line1" />
      <TextField {...bind(setup, 'address2')} label="Address Line 2" maxLength={200} autoComplete="address-line2" />
      <div className="su-city">
        <TextField {...bind(setup, 'city')} label="City" maxLength={100} autoComplete="address-level2" />
        <TextField {...bind(setup, 'state')} label="State" maxLength={100} autoComplete="address-level1" />
        <TextField {...bind(setup, 'zipCode')} label="ZIP Code" maxLength={20} autoComplete="postal-code" />
      </div>
      <Logo setup={setup} />
    </>
  );
}

/** The logo is uploaded when it is picked, and saved with the other answers. */
function Logo({ setup: { values, patch, errorOf } }: Pick<StepProps, 'setup'>) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  const add = async ([file]: readonly File[]) => {
    if (file === undefined) return;
    const contentType = contentTypeOf(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
    const fault = checkLogo({ contentType, size: file.size });
    setProblem(fault);
    if (fault !== undefined) return;
    sending.current = new AbortController();
    setBusy(true);
    try {
      const { signal } = sending.current;
      const { documentId, documentName } = await uploadFile(file, {
        key: newKey(),
        onProgress: () => undefined,
        signal,
      });
      patch({ logo: { documentId, documentName } });
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const message = problem ?? errorOf('logo');
  return (
    <section className="su-logo" aria-label="Logo">
      <div>
        <div className="mantine-InputWrapper-label">Logo</div>
        <p className="ek-muted ek-small">
          {values.logo?.documentName ?? 'Shown on invoices and statements. A PNG or JPEG file of up to 2 MB.'}
        </p>
        {message !== undefined && <InlineAlert kind="Error">{message}</InlineAlert>}
      </div>
      <FilePicker
        single
        accept={LOGO_TYPES.join()}
        disabled={isBusy}
        buttonLabel={values.logo === null ? 'Upload Logo' : 'Replace Logo'}
        onFiles={(files) => void add(files)}
      />
    </section>
  );
}

const MONTH_OPTIONS = MONTHS.map((label, index) => ({ id: index + 1, label }));

function Financials({ setup, accounts }: StepProps) {
  const { values, patch, errorOf } = setup;
  return (
    <>
      <Head title="Financials">
        One account tracks the amounts that customers owe you, and another tracks the amounts that you owe vendors. Most
        companies use the default accounts.
      </Head>
      <Picker
        label="Fiscal Year Start Month"
        options={MONTH_OPTIONS}
        value={values.fyStartMonth}
        error={errorOf('fyStartMonth')}
        onChange={(fyStartMonth) => patch({ fyStartMonth })}
        autoFocus
      />
      <div className="su-tax">
        <TextField
          {...bind(setup, 'salesTaxLabel')}
          label="Sales Tax Name"
          hint="Optional. The default is State."
          maxLength={100}
        />
        <QuantityField
          {...bind(setup, 'salesTaxPercentage')}
          label="Rate (%)"
          hint="Leave empty if you don't charge sales tax"
          places={6}
          max={100}
        />
      </div>
      <DefaultAccount
        check="Use the default A/R account"
        hint="Tracks what customers owe you from invoice to payment"
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
        hint="Tracks what you owe vendors from bill to payment"
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
      <p className="ek-muted ek-small">You can change both later in Settings, under Financial Info.</p>
    </>
  );
}

interface DefaultAccountProps {
  check: string;
  hint: string;
  label: string;
  /** The type of the accounts that the user can choose from. */
  type: string;
  /** The default account, which the checkbox locks. */
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
        hint={isFixed ? undefined : `Any account of type ${props.type}.`}
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
        Enter a customer you send invoices to. To add customers later, leave the fields empty.
      </Head>
      <TextField {...bind(setup, 'customerName')} label="Customer Name" maxLength={200} disabled={isOne} autoFocus />
      <TextField
        {...bind(setup, 'customerEmail')}
        label="Email"
        kind="email"
        hint="Required with a name. Invoices are sent to this address."
        maxLength={254}
        disabled={isOne}
      />
      <CheckField
        {...bind(setup, 'useDefaultCustomer')}
        label="Use Single Default Customer"
        hint={`For over-the-counter sales, use one customer named ${DEFAULT_CUSTOMER} for everyone`}
      />
    </>
  );
}

function Expenses({ setup }: StepProps) {
  return (
    <>
      <Head title="Expenses">Enter a vendor whose bills you pay. To add vendors later, leave the fields empty.</Head>
      <TextField {...bind(setup, 'vendorName')} label="Vendor Name" maxLength={200} autoFocus />
      <TextField
        {...bind(setup, 'vendorEmail')}
        label="Email"
        kind="email"
        hint="Required with a name"
        maxLength={254}
      />
    </>
  );
}

function Products({ setup }: StepProps) {
  return (
    <>
      <Head title="Products">Enter a product or service you sell. To add products later, leave the fields empty.</Head>
      <TextField {...bind(setup, 'productName')} label="Product Name" maxLength={200} autoFocus />
      <div className="su-price">
        <MoneyField {...bind(setup, 'productPrice')} label="Price" />
      </div>
    </>
  );
}
