import { type Command, Option } from 'commander'
import type { Context } from '../context.ts'
import type { DoctorOptions } from './run-doctor.ts'

const examples = `
Examples:
  quipu-admin doctor --env-file /etc/quipu/api.env --env-file /etc/quipu/worker.env
  quipu-admin doctor --program worker --json`

/** `doctor` checks an installation from the settings of its programs. */
export function addDoctorCommand(program: Command, context: Context): void {
  program
    .command('doctor')
    .summary('Check an installation, and say what to mend')
    .description(
      'Check an installation with the environment of API and worker: settings, database, role and rights, migrations, clocks, work that waits, both Tron providers, top-up addresses, the QR network, rates, the queue, and the operator API. Each finding that is not ok says what to mend. Changes nothing but one durable write of no row. Exit code 1 if a check fails.',
    )
    .option('--env-file <file...>', 'settings as NAME=value lines; they come before the environment')
    .addOption(
      new Option('--program <name...>', 'whose settings to check')
        .choices(['api', 'worker'])
        .default(['api', 'worker'], 'both'),
    )
    .option('--all-addresses', 'check every top-up address, not the newest 1,000')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action(async (options: DoctorOptions) => {
      const { runDoctor } = await import('./run-doctor.ts')
      await runDoctor(options, context)
    })
}
