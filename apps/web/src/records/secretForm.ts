import type { FieldMessages } from '@evenkeel/core/failure';
import { useState } from 'react';
import { messageOf, useStale } from '../client/api.ts';
import { ApiError } from '../client/transport.ts';
import { useOnce } from '../ui/hooks/once.ts';

/**
 * A small account form, often with secrets. Unlike drafts and idempotency keys, its values are never stored on the
 * device.
 */
export interface SecretForm<Name extends string = string> {
  values: Record<Name, string>;
  bind: (name: Name) => { value: string; error: string | undefined; onChange: (value: string) => void };
  /** An error that doesn't belong to a field. */
  failed: string | undefined;
  isBusy: boolean;
  /**
   * Validates and sends the form, and clears it afterward. Errors appear at their fields. Returns whether the request
   * succeeded.
   */
  submit: () => Promise<boolean>;
}

interface Sending<Name extends string> {
  blank: Record<Name, string>;
  check?: (values: Record<Name, string>) => FieldMessages;
  send: (values: Record<Name, string>) => Promise<unknown>;
  /** Whether the values are kept after the form is sent. */
  keeps?: boolean;
}

/** Returns messages for missing values that use the field labels. */
export function required(values: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>) {
  const missing = Object.entries(labels).filter(([name]) => values[name]?.trim() === '');
  return Object.fromEntries(missing.map(([name, label]) => [name, `${label} is required`]));
}

export function useSecretForm<Name extends string>({
  blank,
  check,
  send,
  keeps = false,
}: Sending<Name>): SecretForm<Name> {
  const stale = useStale();
  const [values, setValues] = useState(blank);
  const [fields, setFields] = useState<FieldMessages>({});
  const [failed, setFailed] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const once = useOnce();
  const sent = async (): Promise<true | undefined> => {
    setBusy(true);
    try {
      await send(values);
      if (!keeps) setValues(blank);
      stale();
      return true;
    } catch (error) {
      const told = error instanceof ApiError ? error.fields : {};
      setFields(told);
      const elsewhere = Object.entries(told).find(([name]) => !(name in blank))?.[1];
      setFailed(Object.keys(told).length === 0 ? messageOf(error) : elsewhere);
      return undefined;
    } finally {
      setBusy(false);
    }
  };

  const submit = async (): Promise<boolean> => {
    if (once.isTaken()) return false;
    const wrong = check?.(values) ?? {};
    setFields(wrong);
    setFailed(undefined);
    if (Object.keys(wrong).length > 0) return false;
    return (await once.run(sent)) === true;
  };

  const bind = (name: Name) => ({
    value: values[name],
    error: fields[name],
    onChange: (value: string) => {
      once.renew();
      setValues((now) => ({ ...now, [name]: value }));
    },
  });
  return { values, bind, failed, isBusy, submit };
}
