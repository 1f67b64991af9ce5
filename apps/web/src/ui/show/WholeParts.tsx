import { keyed } from './keyed.ts';

/**
 * One line of text in parts, each with its own separator at the beginning. A part that doesn't fit is omitted, so that
 * no amount is truncated. Only the first part can have an ellipsis. The tooltip is the full text.
 */
export function WholeParts({ parts }: { parts: readonly string[] }) {
  return (
    <span className="ek-parts" title={parts.join('')}>
      {keyed(parts, (part) => part).map(({ key, item }) => (
        <span key={key}>{item}</span>
      ))}
    </span>
  );
}
