import '../theme/overlayStyles.ts';
import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { ICON_SMALL } from '../show/icons.ts';
import { type FieldProps, inputProps } from './field.tsx';
import { detailsOf, groupOptions, matchingOptions, PICKER_MAX, type PickerOption } from './pickerOptions.ts';

export interface PickerProps<Id extends string | number> extends FieldProps {
  options: readonly PickerOption<Id>[];
  value: Id | null;
  onChange: (id: Id | null) => void;
  /** Offers `+ Add "text"` for what is in no option. */
  onCreate?: ((text: string) => void) | undefined;
  /** An empty choice at the top, e.g. `None, free line`. */
  noneLabel?: string | undefined;
}

/** Combobox.Target adds aria-expanded and aria-controls. */
const COMBOBOX_ROLE = { role: 'combobox', 'aria-autocomplete': 'list' } as const;

/** A select one can type in. Arrows move, Enter or Tab takes, Escape leaves the choice as it was. */
export function Picker<Id extends string | number>(props: PickerProps<Id>) {
  const { options, value, onChange, onCreate, noneLabel } = props;
  const [typed, setTyped] = useState<string>();
  const combobox = useCombobox({
    onDropdownClose: () => combobox.resetSelectedOption(),
  });
  const chosen = options.find((option) => option.id === value);
  const details = useMemo(() => detailsOf(options), [options]);
  const hint = props.hint ?? (chosen === undefined ? undefined : details.get(chosen.id));
  const close = () => {
    setTyped(undefined);
    combobox.closeDropdown();
  };
  const submit = (key: string) => {
    if (key === 'create') onCreate?.((typed ?? '').trim());
    else if (key === 'none') onChange(null);
    else onChange(options.find((option) => String(option.id) === key.slice(3))?.id ?? null);
    close();
  };
  const takeByTab = () => {
    const index = combobox.getSelectedOptionIndex();
    if (typed !== undefined && index >= 0) combobox.clickSelectedOption();
    else close();
  };
  return (
    <Combobox store={combobox} onOptionSubmit={submit} withinPortal>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...inputProps({ ...props, hint })}
          {...COMBOBOX_ROLE}
          placeholder={props.placeholder ?? noneLabel ?? 'Select'}
          spellCheck={false}
          value={typed ?? chosen?.label ?? ''}
          readOnly={props.readOnly ?? false}
          rightSectionWidth={34}
          rightSection={<IconChevronDown {...ICON_SMALL} />}
          onClick={() => (props.readOnly === true ? undefined : combobox.openDropdown())}
          onFocus={(event) => event.currentTarget.select()}
          onBlur={close}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
            queueMicrotask(() => combobox.selectFirstOption());
          }}
          onKeyDown={(event) => {
            if (event.key === 'Tab') takeByTab();
            if (event.key === 'Escape' && combobox.dropdownOpened) {
              event.stopPropagation();
              close();
            }
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Options {...props} typed={typed} details={details} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface OptionsProps<Id extends string | number> extends PickerProps<Id> {
  typed: string | undefined;
  details: ReadonlyMap<Id, string>;
}

function Options<Id extends string | number>(props: OptionsProps<Id>) {
  const { options, value, onCreate, noneLabel, typed = '', label, details } = props;
  const matching = matchingOptions(options, typed);
  const groups = groupOptions(matching.slice(0, PICKER_MAX));
  const text = typed.trim();
  const known = options.some((option) => option.label.toLowerCase() === text.toLowerCase());
  const offerNew = onCreate !== undefined && text !== '' && !known;
  return (
    <Combobox.Options className="ek-picker-options" aria-label={label}>
      {noneLabel !== undefined && typed === '' && <Combobox.Option value="none">{noneLabel}</Combobox.Option>}
      {groups.map((group) => {
        const items = group.options.map((option) => (
          <OptionLine key={option.id} option={option} value={value} detail={details.get(option.id)} />
        ));
        if (group.label === undefined) return items;
        return (
          <Combobox.Group key={group.label} label={group.label}>
            {items}
          </Combobox.Group>
        );
      })}
      {matching.length > PICKER_MAX && (
        <Combobox.Empty className="ek-picker-more">{matching.length - PICKER_MAX} more, keep typing</Combobox.Empty>
      )}
      {matching.length === 0 && !offerNew && <Combobox.Empty>Nothing found</Combobox.Empty>}
      {offerNew && <Combobox.Option value="create">{`+ Add "${text}"`}</Combobox.Option>}
    </Combobox.Options>
  );
}

interface OptionLineProps<Id extends string | number> {
  option: PickerOption<Id>;
  value: Id | null;
  detail: string | undefined;
}

function OptionLine<Id extends string | number>({ option, value, detail }: OptionLineProps<Id>) {
  return (
    <Combobox.Option value={`id ${option.id}`} active={option.id === value}>
      <span className="ek-picker-option">
        {option.label}
        {option.aside !== undefined && <span className="ek-picker-aside">{option.aside}</span>}
      </span>
      {detail !== undefined && <span className="ek-picker-detail">{detail}</span>}
    </Combobox.Option>
  );
}
