import '../documents.css';
import { keptWords } from '../../../ui/hooks/draft.ts';

/** Shows, next to the form's title, when the form's draft was saved on this device. */
export function Kept({ at }: { at: number | undefined }) {
  return (
    <span className="ek-muted ek-small dc-kept" role="status">
      {keptWords(at)}
    </span>
  );
}
