import type { Completable } from './completable.js';

/** The completion of bash, 3.2 and later. */
export function bashCompletion(commands: readonly Completable[]): string {
  const cases = commands.map(({ name, flags, words }) => {
    const values = flags.flatMap(({ flag, value }) => {
      if (value === 'none') return [];
      if (value === 'file') return [`        ${flag}) return ;;`];
      const found = value === 'text' ? '' : value.join(' ');
      return [`        ${flag}) _plant_store_words '${found}'; return ;;`];
    });
    const all = [...flags.map(({ flag }) => flag), ...words].join(' ');
    return `    ${name})
      case $previous in
${values.join('\n')}
      esac
      [[ $current == -* || -n '${words.join(' ')}' ]] && _plant_store_words '${all}'
      ;;`;
  });
  const names = commands.map(({ name }) => name);
  return `# Completion of plant-store for bash: eval "$(plant-store completion bash)"
_plant_store_words() {
  compopt +o default 2>/dev/null
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}
_plant_store() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${names.join('|')}) command=$word; break ;; esac
  done
  case $command in
    '') _plant_store_words '${names.join(' ')} --help --version' ;;
${cases.join('\n')}
  esac
}
complete -o default -F _plant_store plant-store
`;
}
