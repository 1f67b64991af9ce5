import type { BodyOf } from '@evenkeel/contract/endpoint';
import { settingsCalls } from '@evenkeel/contract/settings';
import { setupCalls } from '@evenkeel/contract/setup';
import type { FieldMessages } from '@evenkeel/core/failure';
import { checkSetup } from '@evenkeel/core/setup';
import { useState } from 'react';
import { ask, messageOf, SavedEarlier, send, useStale } from '../../client/api.ts';
import { updateSession } from '../../client/session.ts';
import { ApiError } from '../../client/transport.ts';
import { useFormSave } from '../../records/formSave.ts';
import { usePlace } from '../../records/place.ts';
import { draftIn } from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { type SendPlace, useDraft } from '../../ui/hooks/draft.ts';
import { faultsOf, faultyStep, SetupForm, setupRequest, type StepId, STEPS } from './setupForm.ts';

/** The draft that all tabs share, because there is only one setup. */
export const DRAFT = 'setup';

/** The setup was completed by another request, either a colleague's or an earlier attempt by this user. */
const isOver = (error: unknown): boolean =>
  error instanceof SavedEarlier || (error instanceof ApiError && error.body.code === 'conflict');

/** Saves the logo. The setup is complete without the logo, so a failure only shows an alert. */
function useSaveLogo() {
  const alerts = useAlerts();
  return async (companyId: number, logo: SetupForm['logo']): Promise<void> => {
    if (logo === null) return;
    const asked = ask(settingsCalls.updateCompany, { params: { id: companyId }, body: { logo } });
    await send(asked).catch((error: unknown) => {
      alerts.error(`The logo was not saved: ${messageOf(error)}`, { keepAfterRouteChange: true });
    });
  };
}

/** Manages the wizard: its answers, its step, and completing or skipping it. */
export function useSetup(initial: SetupForm) {
  const alerts = useAlerts();
  const stale = useStale();
  const { query, go } = usePlace();
  const draft = useDraft<SetupForm>({
    name: DRAFT,
    initial,
    read: (stored) => draftIn(SetupForm, stored, initial),
  });
  const save = useFormSave({});
  const [tried, setTried] = useState<readonly StepId[]>([]);
  const values = draft.value;
  const step = STEPS.find((each) => each === query.get('step')) ?? 'welcome';
  const at = STEPS.indexOf(step);
  const faults: FieldMessages = checkSetup(setupRequest(values));
  const fields = { ...(tried.includes(step) ? faults : {}), ...save.fields };

  const saveLogo = useSaveLogo();
  const show = (next: StepId) => go({ step: next === 'welcome' ? undefined : next }, { step: [] });
  const end = async (body: BodyOf<typeof setupCalls.completeSetup>, words: string, place?: SendPlace) => {
    const said = await save.attempt(
      async () => {
        try {
          const { id } = await send(ask(setupCalls.completeSetup, { body }), place);
          if (body.skip !== true) await saveLogo(id, values.logo);
          return words;
        } catch (error) {
          if (isOver(error) && error instanceof Error) return error.message;
          throw error;
        }
      },
      undefined,
      (refused) => {
        const wrong = faultyStep(refused);
        if (wrong !== undefined && wrong !== step) show(wrong);
      },
    );
    if (said === undefined) return;
    draft.clear();
    if (said === words) alerts.success(said);
    else alerts.warning(said, { keepAfterRouteChange: true, autoClose: false });
    stale();
    updateSession({ setupCompleted: true });
  };
  const complete = () => {
    setTried(STEPS);
    const wrong = faultyStep(faults);
    if (wrong === undefined) void end(setupRequest(values), 'Setup complete', draft.sent);
    else if (wrong !== step) show(wrong);
  };
  const forward = () => {
    setTried([...tried, step]);
    const next = STEPS[at + 1];
    if (Object.keys(faultsOf(step, faults)).length > 0) return;
    if (next === undefined) complete();
    else show(next);
  };
  return {
    values,
    step,
    at,
    busy: save.busy,
    problems: save.problems,
    errorOf: (name: keyof SetupForm) => fields[name],
    patch: (part: Partial<SetupForm>) => {
      save.touched();
      draft.set((before) => ({ ...before, ...part }));
    },
    show,
    forward,
    back: () => show(STEPS[at - 1] ?? 'welcome'),
    skip: () => void end({ skip: true }, 'Setup skipped'),
  };
}

export type Setup = ReturnType<typeof useSetup>;
