import '../documents.css';
import { keptWords } from '../../../ui/hooks/draft.ts';

/** The time when a form's draft was saved on this device, shown next to the form's title. */
export function Kept({ at }: { at: number | undefined }) {
  return (
    <span className="ek-muted ek-small dc-kept" role="status">
      {keptWords(at)}
    </span>
  );
}
