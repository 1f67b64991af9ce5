import { fireEvent } from '@testing-library/react';

/**
 * Types letter by letter after the field's existing text, without delays. On a busy machine, delays between letters
 * would trigger code that runs when typing stops.
 */
export function typeAtOnce(field: HTMLElement, text: string): void {
  const before = 'value' in field && typeof field.value === 'string' ? field.value : '';
  field.focus();
  for (const [index] of [...text].entries()) {
    fireEvent.change(field, { target: { value: before + text.slice(0, index + 1) } });
  }
}
