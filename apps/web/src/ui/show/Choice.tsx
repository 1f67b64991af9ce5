import '../theme/fieldStyles.ts';
import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useId } from 'react';

export interface ChoiceProps<Value extends string> {
  label: string;
  /** Whether the label is hidden. By default, the label appears above the options. */
  labelHidden?: boolean;
  hint?: string | undefined;
  /** With icons, the options are cards of the same width. */
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
  disabled?: boolean;
}

/** A choice of two or three options, for example Business or Individual. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const id = useId();
  const isCards = props.options.some(({ icon }) => icon !== undefined);
  return (
    <div
      className="ek-choice"
      data-field={props.labelHidden === true ? undefined : ''}
      data-cards={isCards ? '' : undefined}
    >
      <div id={id} className={props.labelHidden === true ? 'ek-vh' : 'mantine-InputWrapper-label'}>
        {props.label}
      </div>
      {props.hint !== undefined && <div className="mantine-InputWrapper-description">{props.hint}</div>}
      <SegmentedControl<Value>
        role="radiogroup"
        aria-labelledby={id}
        data={props.options.map(({ value, label, icon }) => ({
          value,
          label: icon ? (
            <>
              {icon} {label}
            </>
          ) : (
            label
          ),
        }))}
        value={props.value}
        onChange={props.onChange}
        disabled={props.disabled === true}
      />
    </div>
  );
}
