import { suggestions } from '@quipu/client/terminal'
import { Argument, type Command } from 'commander'
import type { Context } from '../context.ts'

const shells = ['bash', 'zsh', 'fish', 'pwsh'] as const
const name = 'quipu-admin'

/** The command that the printed scripts call. Commander does not see it: what follows it is no command line of ours. */
export const serverCommand = 'completion-server'

const examples = `
Examples:
  quipu-admin completion bash >> ~/.bashrc
  quipu-admin completion zsh > ~/.zsh/completions/_quipu-admin
  quipu-admin completion fish > ~/.config/fish/completions/quipu-admin.fish`

/** `completion <shell>` prints a script, which asks this program for the words that can follow. */
export function addCompletionCommand(program: Command, { terminal }: Context): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText('after', examples)
    .action(async (shell: (typeof shells)[number]) => {
      const { default: tabtab } = await import('@pnpm/tabtab')
      terminal.out(await tabtab.getCompletionScript({ name, completer: name, shell }))
    })
}

/**
 * Prints the words that can follow, in the format of the shell that asks.
 *
 * @param args  of `completion-server`: `--`, and the words of the line
 */
export async function answerShell(
  program: Command,
  args: readonly string[],
  { terminal, env }: Context,
): Promise<void> {
  const { default: tabtab } = await import('@pnpm/tabtab')
  const [, ...words] = args.slice(args.indexOf('--') + 1)
  const last = Number(env['COMP_CWORD'] ?? words.length)
  const typed = words.slice(0, last)
  const line = typed.length < last ? [...typed, ''] : typed // Some shells omit an empty word.
  const start = line.at(-1) ?? ''
  const found = suggestions(program, line).filter((each) => each.name.startsWith(start))
  tabtab.log([...found], tabtab.getShellFromEnv(env), (text) => terminal.out(`${text}\n`))
}
