import type { Command } from 'commander';
import { SCENES } from '../trigger/scenes.ts';
import { UsageError } from '../exit-code.ts';

/** The words that may follow a command. */
type Words = { readonly name: string; readonly what: string; readonly words: readonly string[] };

const SHELLS: Readonly<Record<string, (commands: readonly Words[]) => string>> = { bash, zsh, fish };

/** Returns the script that completes commands, options and scenes in a shell. Throws a UsageError for another shell. */
export function completionFor(shell: string, program: Command): string {
  const write = SHELLS[shell];
  if (!write) throw new UsageError(`There is no completion for ${shell}. Name bash, zsh or fish.`);
  return write(program.commands.map(wordsOf));
}

function wordsOf(command: Command): Words {
  const actions = command.commands;
  const options = [...actions, command]
    .flatMap((each) => each.options)
    .map(({ long, short }) => long ?? short ?? '');
  const further = { trigger: Object.keys(SCENES), completion: Object.keys(SHELLS) };
  const name = command.name();
  return {
    name,
    what: command.description(),
    words: [
      ...(name === 'trigger' || name === 'completion' ? further[name] : []),
      ...new Set([...actions.map((each) => each.name()), ...options, '--help']),
    ],
  };
}

function bash(commands: readonly Words[]): string {
  const cases = commands.map(({ name, words }) => `    ${name}) words='${words.join(' ')}' ;;`);
  return `# Add to ~/.bashrc: eval "$(paygraph completion bash)"
_paygraph() {
  local words='${commands.map(({ name }) => name).join(' ')} --help --version'
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _paygraph paygraph`;
}

function zsh(commands: readonly Words[]): string {
  const names = commands.map(({ name, what }) => `    '${name.replace(':', '\\:')}:${quoted(what)}'`);
  const cases = commands.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')} ;;`);
  return `#compdef paygraph
# Add to ~/.zshrc, after compinit: eval "$(paygraph completion zsh)"
_paygraph() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "\${words[2]}" in
${cases.join('\n')}
  esac
}
compdef _paygraph paygraph`;
}

function fish(commands: readonly Words[]): string {
  const lines = commands.flatMap(({ name, what, words }) => [
    `complete -c paygraph -n __fish_use_subcommand -f -a '${name}' -d '${quoted(what)}'`,
    `complete -c paygraph -n '__fish_seen_subcommand_from ${name}' -a '${words.join(' ')}'`,
  ]);
  return ['# Save as ~/.config/fish/completions/paygraph.fish', ...lines].join('\n');
}

/** Removes the characters that would end a quoted word of a shell. */
const quoted = (text: string): string => text.replaceAll(/['\\]/g, '');
