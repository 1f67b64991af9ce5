/** A step in deploy/Containerfile. Stages are numbered from 0. */
export interface Step {
  stage: number;
  word: string;
  rest: string;
}

/** Returns the steps in a container file, without comments and with continuation lines joined. */
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
