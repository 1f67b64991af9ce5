import { Company } from '@evenkeel/contract/settings';
import { decode } from '@evenkeel/contract/wire';
import { countries } from '@evenkeel/core/geography.data';
import type { FieldMessages } from '@evenkeel/core/failure';
import { useFormSave } from '../records/formSave.ts';
import { StaleChoice } from '../records/StaleChoice.tsx';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { Picker } from '../ui/fields/Picker.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { useDraft } from '../ui/hooks/draft.ts';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import { FormErrorSummary } from '../ui/show/FormErrorSummary.tsx';
import {
  companyFaults,
  type CompanyForm,
  companyFormOf,
  companyInput,
  readCompanyDraft,
  regionsOf,
} from './companyForm.ts';
import { useSaveCompany } from './queries.ts';

const COUNTRIES = countries.map(({ countryId, countryName }) => ({ id: countryId, label: countryName }));
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** The company's name, address and time zone; it opens in edit mode (Specification part 1 §4 "Entity modal"). */
export function CompanyModal({ company, onClose }: { company: Company; onClose: () => void }) {
  const draft = useDraft<CompanyForm>({
    name: 'company',
    initial: companyFormOf(company),
    read: readCompanyDraft,
  });
  const save = useFormSave(companyFaults(draft.value));
  const sendCompany = useSaveCompany();
  const alerts = useAlerts();
  const send = async (form: CompanyForm) => {
    const saved = await save.attempt(() => sendCompany(company.id, companyInput(form)));
    if (saved === undefined) return;
    draft.clear();
    alerts.success('Company Info saved');
    onClose();
  };
  const theirs = () => decode(Company, save.current);
  const keepMine = () => {
    const mine = { ...draft.value, rowVersion: theirs().rowVersion };
    draft.set(mine);
    void send(mine);
  };
  const takeTheirs = () => {
    draft.clear(companyFormOf(theirs()));
    save.forget();
  };
  return (
    <AppModal
      opened
      onClose={onClose}
      title="Company Info"
      size="md"
      dirty={draft.dirty}
      onDiscard={() => draft.clear()}
      footer={{ primary: { label: 'Save', onClick: () => void send(draft.value), busy: save.busy } }}
    >
      <div className="ek-stack">
        <FormErrorSummary problems={save.problems.map((message) => ({ message }))} />
        {save.current !== undefined && <StaleChoice onTheirs={takeTheirs} onMine={keepMine} />}
        <CompanyFields
          form={draft.value}
          fields={save.fields}
          onChange={(form) => {
            save.touched();
            draft.set(form);
          }}
        />
      </div>
    </AppModal>
  );
}

interface CompanyFieldsProps {
  form: CompanyForm;
  onChange: (form: CompanyForm) => void;
  fields: FieldMessages;
}

type TextPart = 'displayname' | 'emailAddress' | 'phone' | 'address1' | 'address2' | 'city' | 'state' | 'zipCode';

const LENGTHS: Record<TextPart, number> = {
  displayname: 200,
  emailAddress: 254,
  phone: 40,
  address1: 200,
  address2: 200,
  city: 100,
  state: 100,
  zipCode: 20,
};

function CompanyFields({ form, onChange, fields }: CompanyFieldsProps) {
  const text = (part: TextPart, label: string, kind: 'text' | 'email' | 'tel' = 'text') => (
    <TextField
      label={label}
      kind={kind}
      value={form[part]}
      onChange={(value) => onChange({ ...form, [part]: value })}
      error={fields[part]}
      maxLength={LENGTHS[part]}
      autoFocus={part === 'displayname'}
    />
  );
  const regions = regionsOf(form.countryId, form.state);
  return (
    <div className="ek-form">
      {text('displayname', 'Company Name')}
      <div className="ek-c6">{text('emailAddress', 'Email Address', 'email')}</div>
      <div className="ek-c6">{text('phone', 'Phone', 'tel')}</div>
      <div className="ek-c6">{text('address1', 'Address 1')}</div>
      <div className="ek-c6">{text('address2', 'Address 2')}</div>
      <div className="ek-c6">{text('city', 'City')}</div>
      <div className="ek-c6">
        {regions === undefined ? (
          text('state', 'State or Province')
        ) : (
          <Picker
            label="State or Province"
            options={regions}
            value={form.state === '' ? null : form.state}
            onChange={(state) => onChange({ ...form, state: state ?? '' })}
            noneLabel="None"
            error={fields['state']}
          />
        )}
      </div>
      <div className="ek-c6">{text('zipCode', 'ZIP or Postal Code')}</div>
      <div className="ek-c6">
        <Picker
          label="Country"
          options={COUNTRIES}
          value={form.countryId}
          onChange={(countryId) => countryId !== null && onChange({ ...form, countryId })}
          error={fields['countryId']}
        />
      </div>
      <Picker
        label="Time Zone"
        hint="Decides which day it is in the books"
        options={zoneOptions(form.timeZone)}
        value={form.timeZone}
        onChange={(timeZone) => onChange({ ...form, timeZone: timeZone ?? '' })}
        error={fields['timeZone']}
      />
    </div>
  );
}

/** The zones that this device knows, and the stored one. */
function zoneOptions(stored: string) {
  const zones = ZONES.includes(stored) || stored === '' ? ZONES : [stored, ...ZONES];
  return zones.map((zone) => ({ id: zone, label: zone.replaceAll('_', ' ') }));
}
