import '../theme/fieldStyles.ts';
import './fields.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Columns of a form; `half` stands beside another half on a phone too. */
export type Span = 2 | 3 | 4 | 6 | 8 | 'half';

/** The classes of a field that takes so much of a form. */
export function spanClass(span: Span | undefined): string | undefined {
  if (span === undefined) return undefined;
  return span === 'half' ? 'ek-c2 ek-half' : `ek-c${span}`;
}

/** Properties of every field. */
export interface FieldProps {
  label: string;
  /** For a field in a table row: the label is told to screen readers only, the message is shown by the row. */
  inRow?: boolean | undefined;
  /** The sentence shown under the field. */
  error?: string | undefined;
  hint?: ReactNode;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
  readOnly?: boolean | undefined;
  autoFocus?: boolean | undefined;
  placeholder?: string | undefined;
  /** For links from an error summary and for walkthroughs. */
  id?: string | undefined;
  /** Number of a form's twelve columns that it takes; all of them by default. */
  span?: Span | undefined;
}

const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** FieldProps as the props of a Mantine input: message under the field with its glyph, hint before it. */
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
    // A read-only field is reached by the mouse, not by Tab on the way to fields that can be typed in.
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

/** A message with its glyph: never by colour alone. */
export function FieldError({ message }: { message: string }) {
  return (
    <span className="ek-err">
      <IconAlertTriangle size={15} stroke={1.8} aria-hidden />
      {message}
    </span>
  );
}
