import type { Move } from '@evenkeel/contract/moving';
import { moveSource, moveSources, type MoveSystem, type SourceFile } from '@evenkeel/core/moving/sources';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { usePlace } from '../../records/place.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { isKey } from '../../ui/keys/keys.ts';
import { StepFoot } from '../../ui/overlay/StepFoot.tsx';
import { MoveFrame, SETTINGS } from './MoveFrame.tsx';
import { useMoveActions } from './moves.ts';
import { useKeysHere } from '../../ui/keys/useKeysHere.ts';

/** Asks where the books are now, and lists the files to export from there. */
export function SourceStep({ move }: { move: Move | undefined }) {
  const [system, choose] = useState<MoveSystem>(move?.system ?? 'QuickBooks Online');
  const { go } = usePlace();
  const navigate = useNavigate();
  const actions = useMoveActions(move?.id ?? 0);
  const next = async () => {
    const isSame = move?.system === system;
    const saved = move === undefined ? actions.create(system) : actions.update({ rowVersion: move.rowVersion, system });
    const after = isSame ? move : await saved;
    if (after !== undefined) go({ move: after.id, step: 'files' }, { step: [] });
  };
  useKeysHere((event) => {
    if (!isKey(event, 'save') || actions.busy !== undefined) return false;
    void next();
    return true;
  });
  return (
    <MoveFrame
      step="source"
      aside={
        <Button className="mv-wide" variant="subtle" component={Link} to="/openingbalances">
          Enter Opening Balances Instead
        </Button>
      }
      foot={
        <StepFoot
          back={{ label: 'Cancel', onClick: () => void navigate(SETTINGS.to), isPlain: true }}
          note="Evenkeel saves nothing until you select Import"
        >
          <Button loading={actions.busy !== undefined} onClick={() => void next()}>
            Next: Files
          </Button>
        </StepFoot>
      }
    >
      <div className="mv-source">
        <section className="mv-source-list" aria-labelledby="mv-where">
          <h2 id="mv-where">Where are your books now?</h2>
          <p className="ek-muted">The import is saved only if the trial balances agree at every month end.</p>
          <div className="mv-box mv-sources" role="radiogroup" aria-labelledby="mv-where">
            {moveSources.map((source) => (
              <label
                key={source.system}
                aria-label={`${source.label}. ${source.sentence}`}
                data-on={source.system === system ? '' : undefined}
              >
                <input
                  type="radio"
                  name="system"
                  checked={source.system === system}
                  onChange={() => choose(source.system)}
                />
                <span>
                  <span className="ek-medium">{source.label}</span>
                  <span className="ek-second ek-small mv-line">{source.sentence}</span>
                </span>
              </label>
            ))}
          </div>
        </section>
        <Exports system={system} />
      </div>
    </MoveFrame>
  );
}

/** The headings for programs that don't export reports. */
const OWN: Partial<Record<MoveSystem, { title: string; missing: string }>> = {
  'hledger or beancount': { title: 'Use these files', missing: "What isn't imported" },
  Spreadsheet: { title: 'Prepare these files', missing: "What isn't imported" },
  Evenkeel: { title: 'Export this file from the other Evenkeel', missing: "What isn't imported" },
};

/** The files to export from a program, the most common mistake, and the data that no file contains. */
function Exports({ system }: { system: MoveSystem }) {
  const { label, short, files, warning, notExported } = moveSource(system);
  const required = files.filter(({ isRequired }) => isRequired);
  const others = files.filter(({ isRequired }) => !isRequired);
  const words = OWN[system] ?? { title: `Export these files from ${label}`, missing: `What ${short} doesn't export` };
  return (
    <section className="mv-exports" aria-live="polite">
      <h2>{words.title}</h2>
      <p className="ek-muted">Export all files at the same time, and don't edit them.</p>
      <h3>Required</h3>
      <Files files={required} from={1} />
      {others.length > 0 && (
        <>
          <h3>Recommended</h3>
          <Files files={others} from={required.length + 1} />
        </>
      )}
      {warning !== undefined && (
        <div className="mv-gap">
          <InlineAlert kind="Warning">{warning}</InlineAlert>
        </div>
      )}
      <h3 className="mv-gap">{words.missing}</h3>
      <ul className="mv-limits">
        {notExported.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </section>
  );
}

function Files({ files, from }: { files: readonly SourceFile[]; from: number }) {
  return (
    <ol className="mv-files">
      {files.map(({ name, path }, at) => (
        <li key={name}>
          <span className="mv-number ek-num" aria-hidden="true">
            {from + at}
          </span>
          <span className="ek-medium">{name}</span>
          <span className="ek-second mv-path">{path.join(' › ')}</span>
        </li>
      ))}
    </ol>
  );
}
