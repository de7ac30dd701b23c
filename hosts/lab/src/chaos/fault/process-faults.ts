import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { migrate } from '@quipu/postgres'
import { repository, until } from '@quipu/local/testing'
import type { Heal } from '../system/network.ts'
import { type Injection, none, oneOf } from './injection.ts'
import type { Supervised } from '../system/supervised.ts'

/** Faults of the service's own processes. */
export const processFaults = {
  'kill-api': (context) => kill([oneOf(context.system.apis, context)]),
  'kill-worker': (context) => kill([oneOf(context.system.workers, context)]),
  'kill-all': ({ system }) => kill(system.programs),
  'drain-api': (context) => {
    oneOf(context.system.apis, context).signal('SIGTERM')
    return none
  },
  'stop-api': (context) => halt(oneOf(context.system.apis, context)),
  'stop-worker': (context) => halt(oneOf(context.system.workers, context)),
  clock: async (context) => {
    const program = oneOf(context.system.programs, context)
    const seconds = oneOf([-3600, -300, -40, 40, 300, 3600], context) + context.between(-9, 9)
    await program.moveClock(Math.round(seconds * 1_000))
    return () => program.moveClock(0)
  },
  files: (context) => exhaustFiles(oneOf(context.system.programs, context)),

  upgrade: async ({ system: { database, programs } }) => {
    const url = database.url()
    // With another fault it may need several attempts, as an operator would make.
    await until('the database is migrated', () =>
      migrate(url).then(
        () => true,
        () => false,
      ),
    )
    for (const program of programs) await program.replaceBy(repository)
    return none
  },
} satisfies Readonly<Record<string, Injection>>

const kill = (programs: readonly Supervised[]): Heal => {
  for (const program of programs) program.signal('SIGKILL')
  return none
}

const halt = (program: Supervised): Heal => {
  program.signal('SIGSTOP')
  return () => program.signal('SIGCONT')
}

const run = promisify(execFile)

/** Lowers the soft limit of descriptors to those in use, and ends the connections, which cannot be made again. */
async function exhaustFiles(program: Supervised): Promise<Heal> {
  // With another fault it may be starting, and ends when it cannot read its modules.
  await program.untilStarted()
  const pid = program.pid()
  const limit = (files: string): Promise<unknown> =>
    run('prlimit', ['--pid', String(pid), `--nofile=${files}:`]).catch(() => undefined)
  // Lower than every open descriptor of a connection, so that closing some makes none available.
  await limit('16')
  for (const proxy of [program.database, program.network, program.chain, program.inbound]) proxy?.cut()
  return () => limit('1024')
}
