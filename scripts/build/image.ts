/** A step of deploy/Containerfile. `stage` counts from 0. */
export interface Step {
  stage: number;
  word: string;
  rest: string;
}

/** Returns the steps of a container file, with continued lines joined and without comments. */
export function imageSteps(text: string): Step[] {
  let stage = -1;
  return text
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, word = '', rest = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
      if (word === 'FROM') stage += 1;
      return { stage, word, rest };
    });
}
