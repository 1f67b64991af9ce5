import { canadianProvinces, countries, usStates } from '@evenkeel/core/geography.data';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { binderOf } from '../../records/useRecordForm.ts';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import {
  addressFormat,
  type AddressForm,
  BILLING,
  defaultCountryId,
  type EntityTabProps,
  MAILING,
  setDefaultCountry,
  withItem,
} from './entityForm.ts';

const COUNTRIES = countries.map(({ countryId, countryName }) => ({ id: countryId, label: countryName }));
const STATES = usStates.map(({ id, abbrev, displayName }) => ({ id, label: displayName, aside: abbrev }));
const PROVINCES = canadianProvinces.map(({ id, abbrev, displayName }) => ({ id, label: displayName, aside: abbrev }));

const addressId = (address: AddressForm): number => address.addressID;

/** The mailing and billing addresses. The country determines whether the form uses states, provinces, or free text. */
export function AddressesTab({ form }: Pick<EntityTabProps, 'form'>) {
  const { addresses } = form.values;
  const mailing = addresses.find((address) => address.addressType === MAILING);
  const set = (address: AddressForm) => form.patch({ addresses: withItem(addresses, address, addressId) });
  return (
    <div>
      {addresses.map((address) => (
        <section key={address.addressID} className="en-block" aria-label={nameOf(address)}>
          <div className="en-block-head">
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
          <AddressFields address={address} onChange={set} form={form} />
        </section>
      ))}
    </div>
  );
}

function nameOf(address: AddressForm): string {
  return address.addressType === BILLING ? 'Billing Address' : 'Mailing Address';
}

interface AddressFieldsProps extends Pick<EntityTabProps, 'form'> {
  address: AddressForm;
  onChange: (address: AddressForm) => void;
}

/** The address format (addressFormatType): 0 for a US state, 1 for a Canadian province, 2 for free text. */
function AddressFields({ address, onChange, form }: AddressFieldsProps) {
  const errorOf = (part: string) => form.errorOf(`addresses.#${address.addressID}.${part}`);
  const bind = binderOf({ values: address, onChange, errorOf, isReadOnly: form.isReadOnly });
  const format = addressFormat(address.countryId);
  const country = (countryId: number | null) => countryId !== null && onChange({ ...address, countryId });
  return (
    <div className="ek-form">
      <TextField {...bind('attention')} label="Attention" span={6} maxLength={200} />
      <Picker
        {...bind('countryId')}
        label="Country"
        span={6}
        options={COUNTRIES}
        onChange={country}
        hint={<DefaultCountry key={address.countryId} countryId={address.countryId} />}
      />
      <TextField {...bind('address1')} label="Address 1" span={6} maxLength={200} />
      <TextField {...bind('address2')} label="Address 2" span={6} maxLength={200} />
      <TextField {...bind('city')} label="City" span={4} maxLength={100} />
      {format === 0 && <Picker {...bind('stateId')} label="State" span={4} options={STATES} noneLabel="No state" />}
      {format === 1 && (
        <Picker {...bind('provinceId')} label="Province" span={4} options={PROVINCES} noneLabel="No province" />
      )}
      {format === 2 && <TextField {...bind('provinceName')} label="Province" span={4} maxLength={100} />}
      {format === 0 ? (
        <>
          <TextField {...bind('zipCode')} label="ZIP Code" span="half" maxLength={20} />
          <TextField {...bind('plusFour')} label="Plus 4" span="half" maxLength={10} />
          <TextField {...bind('county')} label="County" span={4} maxLength={100} />
        </>
      ) : (
        <>
          <TextField {...bind('postalCode')} label="Postal Code" span={4} maxLength={20} />
          <TextField {...bind('municipality')} label="Municipality" span={4} maxLength={100} />
        </>
      )}
    </div>
  );
}

/** Makes the selected country the default for new addresses on this device (local storage key `defaultCountry`). */
function DefaultCountry({ countryId }: { countryId: number }) {
  const [isChosen, setIsChosen] = useState(false);
  if (isChosen) return 'Used for new addresses';
  if (countryId === defaultCountryId()) return null;
  const choose = () => {
    setDefaultCountry(countryId);
    setIsChosen(true);
  };
  return (
    <Button variant="subtle" className="ek-btn-link" onClick={choose}>
      Use for New Addresses
    </Button>
  );
}
