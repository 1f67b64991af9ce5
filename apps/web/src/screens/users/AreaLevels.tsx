import './users.css';
import { ALLOWS, type Area, AREAS } from '@evenkeel/contract/areas';
import { authCalls } from '@evenkeel/contract/auth';
import { Radio } from '@mantine/core';
import { ask, useRead } from '../../client/api.ts';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { type Level, LEVELS, type Levels } from './roleForm.ts';

interface AreaLevelsProps {
  levels: Levels;
  isReadOnly: boolean;
  onChange: (levels: Levels) => void;
  /** The description shown for no access. */
  none: string;
  /**
   * The highest level that can be chosen for an area, and the reason why a higher level can't be chosen. By default,
   * every level can be chosen.
   */
  most?: { levelOf: (area: Area) => Level; why: string };
}

/**
 * An access level for each area that the server has permissions for. If the list of areas can't be loaded, the levels
 * stay unchanged.
 */
export function AreaLevels({ levels, isReadOnly, onChange, none, most }: AreaLevelsProps) {
  const { value, error, retry } = useRead(ask(authCalls.listAreas, {}), { alert: 'Error Loading RoleProperties' });
  if (value === undefined && error !== undefined) return <ErrorState message={error} onRetry={retry} />;
  // Until the list loads, the built-in areas take up its space, so that the dialog doesn't resize.
  const areas = value ?? AREAS;
  return (
    <div className="us-levels" role="group" aria-label="Permissions by area">
      <LevelHead />
      {AREAS.filter((area) => areas.includes(area)).map((area) => (
        <AreaLevel
          key={area}
          area={area}
          level={levels[area] ?? 'No Access'}
          isReadOnly={isReadOnly}
          none={none}
          onChange={(level) => onChange({ ...levels, [area]: level })}
          most={most === undefined ? undefined : { level: most.levelOf(area), why: most.why }}
        />
      ))}
    </div>
  );
}

function LevelHead() {
  return (
    <div className="us-level us-level-head" aria-hidden="true">
      <span>Area</span>
      {LEVELS.map((level) => (
        <span key={level}>{level}</span>
      ))}
    </div>
  );
}

interface AreaLevelProps {
  area: Area;
  level: Level;
  isReadOnly: boolean;
  onChange: (level: Level) => void;
  none: string;
  most: { level: Level; why: string } | undefined;
}

/**
 * An area with a description of the selected level, and tooltips for the other levels. Arrow keys move within the row,
 * and Tab moves to the next row.
 */
function AreaLevel({ area, level, isReadOnly, onChange, none, most }: AreaLevelProps) {
  const isAbove = (each: Level) => most !== undefined && LEVELS.indexOf(each) > LEVELS.indexOf(most.level);
  const says = level === 'No Access' ? none : ALLOWS[area][level];
  return (
    <fieldset className="us-level" disabled={isReadOnly}>
      <legend className="ek-vh">{area}</legend>
      <div className="us-level-words">
        <span className="ek-medium">{area}</span>
        <span className="us-level-says">{says}</span>
      </div>
      {LEVELS.map((each) => (
        <Radio
          key={each}
          className="us-level-choice"
          name={`level-${area}`}
          label={each}
          value={each}
          checked={level === each}
          onChange={() => onChange(each)}
          disabled={isReadOnly || isAbove(each)}
          title={isAbove(each) ? most?.why : each === 'No Access' ? none : ALLOWS[area][each]}
        />
      ))}
    </fieldset>
  );
}
