import { Company, settingsCalls } from '@evenkeel/contract/settings';
import { countries } from '@evenkeel/core/geography.data';
import { useWrite } from '../api.ts';
import { RecordModal } from '../records/RecordModal.tsx';
import { asForm, type RecordForm, useRecordForm } from '../records/useRecordForm.ts';
import { Picker } from '../ui/fields/Picker.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { companyFaults, CompanyForm, regionsOf } from './companyForm.ts';

const COUNTRIES = countries.map(({ countryId, countryName }) => ({ id: countryId, label: countryName }));
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

/** The company's name, address and time zone; it opens in edit mode (Specification part 1 §4 "Entity modal"). */
export function CompanyModal({ company, onClose }: { company: Company; onClose: () => void }) {
  const write = useWrite(settingsCalls.updateCompany);
  const form = useRecordForm<Company, CompanyForm>({
    name: 'company',
    id: company.id,
    saved: company,
    formOf: (one) => asForm(CompanyForm, one),
    schema: CompanyForm,
    check: companyFaults,
    reply: Company,
    send: (body) => write.mutateAsync({ params: { id: company.id }, body }),
    words: { saved: () => 'Company Info saved' },
    onSaved: onClose,
  });
  return (
    <RecordModal form={form} title="Company Info" onClose={onClose}>
      <CompanyFields form={form} />
    </RecordModal>
  );
}

function CompanyFields({ form: { bind, patch, values } }: { form: RecordForm<CompanyForm> }) {
  const { state, countryId, timeZone } = values;
  const regions = regionsOf(countryId, state);
  const region = { label: 'State or Province', span: 6 } as const;
  return (
    <div className="ek-form">
      <TextField {...bind('displayname')} label="Company Name" maxLength={200} autoFocus />
      <TextField {...bind('emailAddress')} label="Email Address" kind="email" span={6} maxLength={254} />
      <TextField {...bind('phone')} label="Phone" kind="tel" span={6} maxLength={40} />
      <TextField {...bind('address1')} label="Address 1" span={6} maxLength={200} />
      <TextField {...bind('address2')} label="Address 2" span={6} maxLength={200} />
      <TextField {...bind('city')} label="City" span={6} maxLength={100} />
      {regions === undefined ? (
        <TextField {...bind('state')} {...region} maxLength={100} />
      ) : (
        <Picker
          {...bind('state')}
          {...region}
          options={regions}
          value={state === '' ? null : state}
          onChange={(next) => patch({ state: next ?? '' })}
          noneLabel="None"
        />
      )}
      <TextField {...bind('zipCode')} label="ZIP or Postal Code" span={6} maxLength={20} />
      <Picker
        {...bind('countryId')}
        label="Country"
        span={6}
        options={COUNTRIES}
        onChange={(next) => next !== null && patch({ countryId: next })}
      />
      <Picker
        {...bind('timeZone')}
        label="Time Zone"
        hint="Decides which day it is in the books"
        options={zoneOptions(timeZone)}
        onChange={(next) => patch({ timeZone: next ?? '' })}
      />
    </div>
  );
}

/** The zones that this device knows, and the stored one. */
function zoneOptions(stored: string) {
  const zones = ZONES.includes(stored) || stored === '' ? ZONES : [stored, ...ZONES];
  return zones.map((zone) => ({ id: zone, label: zone.replaceAll('_', ' ') }));
}
