export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** Scripts that ask this command for the words that can follow. */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `_quipu() {
  local IFS=$'\\n'
  COMPREPLY=($(quipu completion-server bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _quipu quipu
`,
  zsh: `#compdef quipu
_quipu() {
  local -a found
  found=("\${(@f)$(quipu completion-server zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  _describe quipu found
}
if [ "$funcstack[1]" = _quipu ]; then _quipu; else compdef _quipu quipu; fi
`,
  fish: `complete -c quipu -f -a '(quipu completion-server fish -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}
