import { endpoints } from '@evenkeel/contract/all';
import { queryOf } from '@evenkeel/contract/lists';
import { operationId } from '@evenkeel/contract/request';
import { reportKinds } from '@evenkeel/core/reports/kinds';
import { callCommand, WRONG_USAGE } from './call.ts';
import { type Command, UsageError } from './command.ts';
import { reportCommand } from './report.ts';

const SHELLS = ['bash', 'zsh'];

/**
 * Prints a script that completes commands, options, operations with their parameters, and reports in bash or zsh. The
 * completions come from the contract, so the script must be printed again after an update. `commands` are the other
 * commands.
 */
export const completionCommand = (commands: readonly Command[]): Command => ({
  name: 'completion',
  usage: 'bash|zsh',
  options: {},
  usageExitCode: WRONG_USAGE,
  run: async ({ positionals: [shell = '', ...others] }) => {
    if (!SHELLS.includes(shell) || others.length > 0) throw new UsageError('specify a shell: bash or zsh');
    const script = completionScript(commands);
    const text = shell === 'zsh' ? `autoload -U +X bashcompinit && bashcompinit\n${script}` : script;
    return { result: { shell }, text };
  },
});

const optionsOf = ({ options }: Command): string[] => Object.keys(options).map((name) => `--${name}`);

/** Returns a branch of a shell `case` that matches a string or, with `rest`, every string that starts with it. */
const caseOf = (start: string, words: readonly string[], rest = ''): string =>
  `    '${start}'${rest}) words='${words.join(' ')}' ;;`;

/** Returns the parameters of each operation that has any, in the form `NAME=`. */
const parameters = (): [string, string[]][] =>
  endpoints.flatMap((endpoint): [string, string[]][] => {
    const names = Object.keys({ ...endpoint.params?.shape, ...queryOf(endpoint)?.shape });
    return names.length === 0 ? [] : [[operationId(endpoint), names.map((name) => `${name}=`)]];
  });

function completionScript(commands: readonly Command[]): string {
  const names = [...commands.map(({ name }) => name), 'completion'].map((name) => name.split(' '));
  const first = [...new Set(names.map(([word = '']) => word))];
  const afterFirst = [
    caseOf(callCommand.name, [...endpoints.map(operationId), '--list']),
    caseOf(reportCommand.name, [...Object.keys(reportKinds), '--list']),
    caseOf('completion', SHELLS),
    ...first.flatMap((word) => {
      const next = names.flatMap(([one, other]) => (one === word && other !== undefined ? [other] : []));
      return next.length === 0 ? [] : [caseOf(word, next)];
    }),
  ];
  const options = commands.map((command) =>
    command.name.includes(' ')
      ? caseOf(command.name, optionsOf(command))
      : caseOf(`${command.name} `, optionsOf(command), '*'),
  );
  const ofOperations = parameters().map(([name, words]) => caseOf(name, words));
  return `_evenkeel() {
  local word="\${COMP_WORDS[COMP_CWORD]}" first="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}" words='' own=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${first.join(' ')}'
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "$first" in
${afterFirst.join('\n')}
    esac
  else
    case "$first $second" in
${options.join('\n')}
    esac
    own="$words"
    if [ "$first" = '${callCommand.name}' ]; then
      words=''
      case "$second" in
${ofOperations.join('\n')}
      esac
      words="$words $own"
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  case "\${COMPREPLY[0]}" in *=) compopt -o nospace 2>/dev/null ;; esac
}
complete -F _evenkeel evenkeel`;
}
