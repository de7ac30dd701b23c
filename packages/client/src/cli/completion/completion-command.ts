import { type Suggestion, suggestions } from '../../terminal.ts'
import { Argument, type Command } from 'commander'
import type { Context } from '../context.ts'
import { completionScripts, type Shell, shells } from './scripts.ts'

/** The command that the printed scripts call. Commander does not see it: what follows it is no command line of ours. */
export const serverCommand = 'completion-server'

const examples = `
Examples:
  quipu completion bash >> ~/.bashrc
  quipu completion zsh > ~/.zsh/completions/_quipu
  quipu completion fish > ~/.config/fish/completions/quipu.fish`

/** `completion <shell>` prints a script. */
export function addCompletionCommand(program: Command, { terminal }: Context): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText('after', examples)
    .action((shell: Shell) => terminal.out(completionScripts[shell]))
}

/**
 * Prints the words that can follow.
 *
 * @param args  of `completion-server`: the shell, `--`, and the words after the program's name
 */
export function answerShell(program: Command, args: readonly string[], { terminal }: Pick<Context, 'terminal'>): void {
  const [, shell, , ...words] = args
  const start = words.at(-1) ?? ''
  const found = suggestions(program, words.length === 0 ? [''] : words, listOf)
    .filter(({ name }) => name.startsWith(start))
    .map((each) => lineOf(each, shell))
  terminal.out(found.map((line) => `${line}\n`).join(''))
}

/** A group runs its `list` when no command is named. */
const listOf = (group: Command): Command | undefined => group.commands.find((command) => command.name() === 'list')

function lineOf({ name, description }: Suggestion, shell: string | undefined): string {
  if (shell === 'fish') return `${name}\t${description}`
  return shell === 'zsh' ? `${name.replaceAll(':', '\\:')}:${description}` : name
}
