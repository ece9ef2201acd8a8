import type { Completable, CompletableFlag } from './completable.js';

/** The completion of zsh. It works with `eval`, and as a file `_plant-store` in `fpath`. */
export function zshCompletion(commands: readonly Completable[]): string {
  const names = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = commands.map(({ name, flags, words }) => {
    const rest = words.length === 0 ? '*:file:_files' : `1:word:(${words.join(' ')})`;
    return `    ${name}) _arguments ${[...flags.map(argument), rest].map(quoted).join(' \\\n      ')} ;;`;
  });
  return `#compdef plant-store
# Completion of plant-store for zsh: source <(plant-store completion zsh)
_plant_store() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _plant-store ]]; then
  _plant_store "$@"
else
  compdef _plant_store plant-store
fi
`;
}

/** A flag as `_arguments` takes it: `*--ca[trust these certificates]:file:_files`. A star means that it can be repeated. */
function argument({ flag, description, value }: CompletableFlag): string {
  const text = description.replace(/[[\]\\:]/g, '\\$&');
  const begin = `*${flag}[${text}]`;
  if (value === 'none') return begin;
  if (value === 'file') return `${begin}:file:_files`;
  return `${begin}:value:${value === 'text' ? '' : `(${value.join(' ')})`}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
