import '../theme/fieldStyles.ts';
import './fields.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/**
 * The number of form columns. Two fields with `half` or `third` fit next to each other even on a phone. On a wide
 * screen, a `third` takes four columns, and a `half` takes two.
 */
export type Span = 2 | 3 | 4 | 6 | 8 | 'half' | 'third';

/** Returns the CSS class for a field's span. */
export function spanClass(span: Span | undefined): string | undefined {
  if (span === undefined) return undefined;
  if (span === 'third') return 'ek-c4 ek-half';
  return span === 'half' ? 'ek-c2 ek-half' : `ek-c${span}`;
}

/** The props of every field. */
export interface FieldProps {
  label: string;
  /** For a field in a table row. The label is only for screen readers, and the row shows the message. */
  inRow?: boolean | undefined;
  /** The message shown below the field. */
  error?: string | undefined;
  hint?: ReactNode;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  readOnly?: boolean | undefined;
  autoFocus?: boolean | undefined;
  placeholder?: string | undefined;
  /** The ID that links in an error summary and walkthroughs refer to. */
  id?: string | undefined;
  /** The number of the form's 12 columns that the field takes. Defaults to 12. */
  span?: Span | undefined;
}

const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/**
 * Converts FieldProps to the props of a Mantine input. The hint comes before the input, and the message with its icon
 * after it.
 */
export function inputProps(props: FieldProps, className?: string) {
  const { label, inRow = false, error, hint } = props;
  return {
    ...(inRow ? { 'aria-label': label } : { label }),
    className: [className, inRow ? 'ek-row-field' : undefined, spanClass(props.span)].filter(Boolean).join(' '),
    error: error === undefined ? undefined : <FieldError message={error} />,
    errorProps: { component: 'div' as const },
    description: hint ?? undefined,
    descriptionProps: { component: 'div' as const },
    withAsterisk: false,
    disabled: props.disabled ?? false,
    readOnly: props.readOnly ?? false,
    // A read-only field can be focused with the mouse, but Tab skips it.
    ...(props.readOnly === true ? { tabIndex: -1 } : {}),
    inputWrapperOrder: ORDER,
    autoComplete: 'off',
    'aria-required': props.required === true ? true : undefined,
    'data-autofocus': props.autoFocus === true ? '' : undefined,
    autoFocus: props.autoFocus ?? false,
    ...(props.placeholder === undefined ? {} : { placeholder: props.placeholder }),
    ...(props.id === undefined ? {} : { id: props.id }),
  };
}

/** An error message with an icon, so that color isn't the only sign of its meaning. */
export function FieldError({ message }: { message: string }) {
  return (
    <span className="ek-err">
      <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
      {message}
    </span>
  );
}
