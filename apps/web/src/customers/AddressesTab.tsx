import type { FieldMessages } from '@evenkeel/core/failure';
import { canadianProvinces, countries, usStates } from '@evenkeel/core/geography.data';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Picker } from '../ui/fields/Picker.tsx';
import { TextField } from '../ui/fields/TextField.tsx';
import { addressFormat, type AddressForm, BILLING, MAILING, withItem, type EntityTabProps } from './entityForm.ts';

const COUNTRIES = countries.map(({ countryId, countryName }) => ({ id: countryId, label: countryName }));
const STATES = usStates.map(({ id, abbrev, displayName }) => ({ id, label: displayName, aside: abbrev }));
const PROVINCES = canadianProvinces.map(({ id, abbrev, displayName }) => ({ id, label: displayName, aside: abbrev }));

const addressId = (address: AddressForm): number => address.addressID;

/** Mailing and billing address; the country decides between states, provinces and free text (part 1 §3). */
export function AddressesTab({ form, onChange, fields }: EntityTabProps) {
  const mailing = form.addresses.find((address) => address.addressType === MAILING);
  const set = (address: AddressForm) => onChange({ ...form, addresses: withItem(form.addresses, address, addressId) });
  return (
    <div>
      {form.addresses.map((address) => (
        <section key={address.addressID} className="cu-block" aria-label={nameOf(address)}>
          <div className="cu-block-head">
            <h3>{nameOf(address)}</h3>
            {address.addressType === BILLING && mailing !== undefined && (
              <Button
                variant="subtle"
                className="ek-btn-link"
                onClick={() => set({ ...mailing, addressID: address.addressID, addressType: BILLING })}
              >
                Same as mailing
              </Button>
            )}
          </div>
          <AddressFields address={address} onChange={set} fields={fields} />
        </section>
      ))}
    </div>
  );
}

function nameOf(address: AddressForm): string {
  return address.addressType === BILLING ? 'Billing Address' : 'Mailing Address';
}

interface AddressFieldsProps {
  address: AddressForm;
  onChange: (address: AddressForm) => void;
  fields: FieldMessages;
}

type TextPart = 'attention' | 'address1' | 'address2' | 'city' | 'zipCode' | 'plusFour' | 'county' | 'municipality';
type OtherPart = 'provinceName' | 'postalCode';

const LENGTHS: Record<TextPart | OtherPart, number> = {
  attention: 200,
  address1: 200,
  address2: 200,
  city: 100,
  zipCode: 20,
  plusFour: 10,
  county: 100,
  municipality: 100,
  provinceName: 100,
  postalCode: 20,
};

function AddressFields({ address, onChange, fields }: AddressFieldsProps) {
  const errorOf = (part: string) => fields[`addresses.#${address.addressID}.${part}`];
  const text = (part: TextPart | OtherPart, label: string) => (
    <TextField
      label={label}
      value={address[part]}
      onChange={(value) => onChange({ ...address, [part]: value })}
      error={errorOf(part)}
      maxLength={LENGTHS[part]}
    />
  );
  return (
    <div className="ek-form">
      <div className="ek-c6">{text('attention', 'Attention')}</div>
      <div className="ek-c6">
        <Picker
          label="Country"
          options={COUNTRIES}
          value={address.countryId}
          onChange={(countryId) => countryId !== null && onChange({ ...address, countryId })}
          error={errorOf('countryId')}
        />
      </div>
      <div className="ek-c6">{text('address1', 'Address 1')}</div>
      <div className="ek-c6">{text('address2', 'Address 2')}</div>
      <div className="ek-c4">{text('city', 'City')}</div>
      <div className="ek-c4">
        <RegionField address={address} onChange={onChange} errorOf={errorOf} text={text} />
      </div>
      {addressFormat(address.countryId) === 0 ? (
        <>
          <div className="ek-c2 ek-half">{text('zipCode', 'ZIP Code')}</div>
          <div className="ek-c2 ek-half">{text('plusFour', 'Plus 4')}</div>
          <div className="ek-c4">{text('county', 'County')}</div>
        </>
      ) : (
        <>
          <div className="ek-c4">{text('postalCode', 'Postal Code')}</div>
          <div className="ek-c4">{text('municipality', 'Municipality')}</div>
        </>
      )}
    </div>
  );
}

interface RegionFieldProps {
  address: AddressForm;
  onChange: (address: AddressForm) => void;
  errorOf: (part: string) => string | undefined;
  text: (part: OtherPart, label: string) => ReactNode;
}

/** addressFormatType: 0 a US state, 1 a Canadian province, 2 free text. */
function RegionField({ address, onChange, errorOf, text }: RegionFieldProps) {
  switch (addressFormat(address.countryId)) {
    case 0:
      return (
        <Picker
          label="State"
          options={STATES}
          value={address.stateId}
          onChange={(stateId) => onChange({ ...address, stateId })}
          error={errorOf('stateId')}
          noneLabel="No state"
        />
      );
    case 1:
      return (
        <Picker
          label="Province"
          options={PROVINCES}
          value={address.provinceId}
          onChange={(provinceId) => onChange({ ...address, provinceId })}
          error={errorOf('provinceId')}
          noneLabel="No province"
        />
      );
    default:
      return text('provinceName', 'Province');
  }
}
