import type { Command } from 'commander'
import type { Context } from '../context.ts'
import type { CreateRoleOptions } from './create-role.ts'

const examples = `
Example:
  DATABASE_URL=postgres://owner@db/quipu quipu-admin role create quipu_app --out database.env`

const dropExample = `
Example:
  DATABASE_URL=postgres://owner@db/quipu quipu-admin role drop quipu_app`

/** `role create` and `role drop`, of the login role of the processes. */
export function addRoleCommands(program: Command, context: Context): void {
  const role = program.command('role').description('The database role of API and worker')
  role
    .command('create')
    .summary('Create the login role of API and worker')
    .description(
      'Create a login role with the rights of the processes alone in the database of DATABASE_URL, as the role that migrates, and print the DATABASE_URL of API and worker with a random password. A role that exists only gets the rights and keeps its password: nothing is printed then, and the exit code is 1. Run `migrate` first.',
    )
    .argument('<name>', 'such as quipu_app')
    .option('--out <file>', 'a new file for the setting that only you can read; else it is printed')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (name: string, options: CreateRoleOptions) => {
      const { createRole } = await import('./create-role.ts')
      await createRole(name, options, context)
    })
  role
    .command('drop')
    .summary('Drop an old login role of API and worker')
    .description(
      'Drop a login role of the processes, as the role that migrates, once every process uses another one. Refused, with the reason, while sessions use it, it owns something, or it is another role than `role create` makes.',
    )
    .argument('<name>', 'such as quipu_app')
    .option('--yes', 'do not ask for the name, as on a terminal')
    .addHelpText('after', dropExample)
    .action(async (name: string, options: { readonly yes?: true }) => {
      const { dropRole } = await import('./create-role.ts')
      await dropRole(name, options, context)
    })
}
