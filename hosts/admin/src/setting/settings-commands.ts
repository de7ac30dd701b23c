import { Argument, type Command } from 'commander'
import type { Context } from '../context.ts'
import { writeSecretFile } from '../output/secret-file.ts'

const programs = ['api', 'worker'] as const

const examples = `
Example:
  quipu-admin settings example api --out api.env`

/** `settings example` prints a file of all settings, for an installation to fill in. */
export function addSettingsCommands(program: Command, { terminal }: Context): void {
  const settings = program.command('settings').description('The settings of API and worker')
  settings
    .command('example')
    .summary('Print every setting of a program, and why, as an environment file')
    .description(
      'Print every setting of the program with its meaning: required ones to fill in, the others as comments with their defaults. `doctor` checks what you have filled in.',
    )
    .addArgument(new Argument('<program>', 'whose settings').choices([...programs]))
    .option('--out <file>', 'a new file that only you can read; else they are printed')
    .addHelpText('after', examples)
    .action(async (name: (typeof programs)[number], { out }: { readonly out?: string }) => {
      const { settingsExample } = await import('./settings-example.ts')
      const text = settingsExample(name)
      if (out === undefined) terminal.out(text)
      else await writeSecretFile(out, text)
    })
}
