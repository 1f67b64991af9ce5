import type { Sending, SentMail } from '@evenkeel/contract/sending';
import type { Ask } from '../../client/api.ts';
import { onIdentityChange } from '../../client/session.ts';
import { alerts } from '../../ui/alerts/store.ts';

/**
 * The delays in ms between status checks after an email is sent. Some mail servers respond immediately, and others
 * after a while.
 */
const LOOKS = [2000, 3000, 5000, 10_000, 20_000, 40_000, 60_000];

/** The delay in ms between status checks while the status of an email is on the screen. */
export const LOOK_MS = 4000;

let watching = new AbortController();
onIdentityChange(() => {
  watching.abort();
  watching = new AbortController();
});

/**
 * Checks the status until the last email is sent, informs the sender about undelivered emails, and calls `onSettled`.
 */
export async function watchSending(asked: Ask<Sending>, onSettled: () => void): Promise<void> {
  const { signal } = watching;
  for (const wait of LOOKS) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (signal.aborted) return;
    const sending = await asked.read(signal).catch(() => undefined);
    const [mail] = sending?.history ?? [];
    if (signal.aborted) return;
    if (sending === undefined || mail === undefined || mail.recipients.some(({ state }) => state === 'queued'))
      continue;
    for (const words of troubles(sending.title, mail)) alerts.error(words, { autoClose: false });
    onSettled();
    return;
  }
}

/** Returns a sentence for each copy that was not, or may not have been, delivered. */
export function troubles(title: string, { recipients }: Pick<SentMail, 'recipients'>): string[] {
  return recipients.flatMap(({ state, address, answer }) => {
    if (state === 'refused') return [`${title} was not delivered to ${address}: ${answer}`];
    return state === 'unsure' ? [`${title} may not have been delivered to ${address}: ${answer}`] : [];
  });
}
