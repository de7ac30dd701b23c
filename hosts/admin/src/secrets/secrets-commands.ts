import { Argument, type Command } from 'commander'
import { withConnection } from '../connection/connection-options.ts'
import type { Context } from '../context.ts'
import type { RotateOptions } from './rotate-secret.ts'
import type { RingSetting } from './rotation.ts'

const examples = `
Examples:
  quipu-admin secrets rotate WEBHOOK_SECRET_KEY --env-file keys.env
  quipu-admin secrets rotate ADDRESS_MAC_KEY --no-wait --json`

const settings = { WEBHOOK_SECRET_KEY: true, ADDRESS_MAC_KEY: true } satisfies Record<RingSetting, true>

/** `secrets rotate` guides the rotation of a master key. */
export function addSecretsCommands(program: Command, context: Context): void {
  const secrets = program.command('secrets').description('The master keys, and their rotation')
  const rotate = secrets
    .command('rotate')
    .summary('Rotate a master key, step by step')
    .description(
      'Print the next value of the setting in a rotation, and what to do with it. Run it three times, each time with the setting with which the processes run: it makes a new key, then makes it the current one, then watches until workers have renewed what older keys made, and says when those may be deleted. Stores nothing.',
    )
    .addArgument(new Argument('<setting>', 'whose key').choices(Object.keys(settings)))
    .option('--env-file <file...>', 'files with the setting as a NAME=value line; they come before the environment')
    .option('--no-wait', 'report the progress of the last step once; exit code 1 if it goes on')
    .option('--interval <seconds>', 'how often to ask for the progress', '5')
  withConnection(rotate)
    .addHelpText('after', examples)
    .action(async (setting: RingSetting, options: RotateOptions) => {
      const { rotateSecret } = await import('./rotate-secret.ts')
      await rotateSecret(setting, options, context)
    })
}
