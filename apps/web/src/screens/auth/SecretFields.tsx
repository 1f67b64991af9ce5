import type { FormEvent, ReactNode } from 'react';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import type { SecretForm } from '../../records/secretForm.ts';

/**
 * The fields of a small form, and any error that doesn't belong to a field. The form is submitted with its button or
 * Enter.
 */
export function SecretFields({ form, children }: { form: Pick<SecretForm, 'failed' | 'submit'>; children: ReactNode }) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <form className="ac-form" onSubmit={submit} noValidate>
      {children}
      {form.failed !== undefined && <InlineAlert kind="Error">{form.failed}</InlineAlert>}
    </form>
  );
}
