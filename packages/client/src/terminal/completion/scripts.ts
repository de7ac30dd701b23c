export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A script that calls the program for the words that can follow. */
export function completionScript(program: string, shell: Shell): string {
  const complete = `_${program.replaceAll('-', '_')}`
  const scripts: Readonly<Record<Shell, string>> = {
    bash: `${complete}() {
  local IFS=$'\\n'
  COMPREPLY=($(${program} completion-server bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F ${complete} ${program}
`,
    zsh: `#compdef ${program}
${complete}() {
  local -a found
  found=("\${(@f)$(${program} completion-server zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  _describe ${program} found
}
if [ "$funcstack[1]" = _${program} ]; then ${complete}; else compdef ${complete} ${program}; fi
`,
    fish: `complete -c ${program} -f -a '(${program} completion-server fish -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
  }
  return scripts[shell]
}
