import type { Command } from 'commander'
import { completionScript, type Shell, shells } from './scripts.ts'
import { type DefaultOf, type Suggestion, suggestions } from './suggestions.ts'

/** The command that the printed scripts call. Commander does not see it: what follows it is no command line of ours. */
const serverCommand = 'completion-server'

/** Adds `completion <shell>`, which prints a script. */
export function addCompletionCommand(program: Command, out: (text: string) => void): void {
  const name = program.name()
  program
    .command('completion')
    .description('Print a script that completes commands and options in your shell')
    .addArgument(program.createArgument('<shell>').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  ${name} completion bash >> ~/.bashrc
  ${name} completion zsh > ~/.zsh/completions/_${name}
  ${name} completion fish > ~/.config/fish/completions/${name}.fish`,
    )
    .action((shell: Shell) => out(completionScript(name, shell)))
}

/**
 * Answers the call of a printed script with the words that can follow, one a line.
 *
 * @param args  of the program: `completion-server`, the shell, `--`, and the words after the program's name
 * @param defaultOf  as of `suggestions`
 * @returns undefined when the command line is no such call
 */
export function completions(program: Command, args: readonly string[], defaultOf?: DefaultOf): string | undefined {
  const [command, shell, , ...words] = args
  if (command !== serverCommand) return undefined
  const start = words.at(-1) ?? ''
  return suggestions(program, words.length === 0 ? [''] : words, defaultOf)
    .filter(({ name }) => name.startsWith(start))
    .map((each) => `${lineOf(each, shell)}\n`)
    .join('')
}

function lineOf({ name, description }: Suggestion, shell: string | undefined): string {
  if (shell === 'fish') return `${name}\t${description}`
  return shell === 'zsh' ? `${name.replaceAll(':', '\\:')}:${description}` : name
}
