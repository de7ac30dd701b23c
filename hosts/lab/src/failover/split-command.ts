import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { repository, runCommand, sourceFlags, until } from '@quipu/local/testing'
import type { SplitStep } from '@quipu/postgres'
import { runSql } from '../run/run-sql.ts'
import type { Copy } from './split-copy.ts'

export const splitSteps = ['prepare', 'drain', 'stop', 'replay', 'promote', 'enter', 'leave', 'freeze'] as const

/** `quipu-admin cell split` with its files. */
export type SplitCommand = {
  /** Runs it until it ends itself by SIGKILL at this step, or is done. Repeats one that fails, as the guide says. */
  forwards(endAt?: SplitStep): Promise<SplitRun>
  /** Runs it until the tenants stay, or the standby is promoted. */
  back(): Promise<void>
}

export type SplitRun = {
  readonly isDone: boolean
  /** When each step began, by `performance.now()`, to some 10 ms. */
  readonly reached: ReadonlyMap<SplitStep, number>
}

/** No machine is so busy that a split takes so long; the tenants' payments are stopped meanwhile. */
const hangsMs = 60_000

/** Ends the process in the moment in which it prints that a step begins. */
const endAtStep = `data:text/javascript,${encodeURIComponent(`
const { stdout, env, pid } = process
const write = stdout.write.bind(stdout)
stdout.write = (text, ...rest) => {
  const isWritten = write(text, ...rest)
  if (String(text).startsWith(env.END_AT + ':')) process.kill(pid, 'SIGKILL')
  return isWritten
}`)}`

const positionOf = (connectionString: string): Promise<string> =>
  runSql<{ at: string }>(
    { connectionString, query_timeout: 5_000 },
    'select pg_current_wal_flush_lsn()::text as at',
  ).then(([row]) => row?.at ?? '', String)

export type SplitFiles = { readonly folder: string; readonly from: string; readonly copy: Copy }

/** @param from  URL of the old cell, whose letter is g; the new one is h */
export async function splitCommand(
  { folder, from, copy }: SplitFiles,
  tenants: readonly string[],
): Promise<SplitCommand> {
  const [g, h] = [path.join(folder, 'g.env'), path.join(folder, 'h.env')]
  await writeFile(g, `CELL=g\nDATABASE_URL=${from}\nDATABASE_STANDBY=required\n`)
  await writeFile(h, `CELL=h\nDATABASE_URL=${copy.url}\nDATABASE_STANDBY=none\n`)
  const script = path.join(repository, 'hosts/admin/src/main.ts')
  const args = ['cell', 'split', '--from', g, '--to', h, '--drain-seconds', '2', '--tenants', ...tenants]
  let last = ''
  const run = async (more: readonly string[], endAt = ''): Promise<SplitRun> => {
    const command = [process.execPath, ...sourceFlags, `--import=${endAtStep}`, script, ...args, ...more]
    const program = runCommand('quipu-admin cell split', { command, env: { END_AT: endAt }, cwd: repository })
    const reached = new Map<SplitStep, number>()
    const startedAt = performance.now()
    await until('the command ends', async () => {
      for (const step of splitSteps)
        if (!reached.has(step) && new RegExp(`^${step}: `, 'm').test(program.output()))
          reached.set(step, performance.now())
      if (performance.now() - startedAt > hangsMs) {
        program.signal('SIGKILL')
        const output = `${program.output()}the copy: ${await copy.state()}; the cell: ${await positionOf(from)}`
        throw new Error(`the split has not ended after ${hangsMs} ms: ${output}`)
      }
      return !program.isRunning()
    })
    last = program.output()
    return { isDone: (await program.ended) === 0, reached }
  }
  const retry = async (): Promise<false> => {
    // A copy that does not follow yet also says this.
    if (/stream/.test(last)) await copy.revive()
    await pause(500)
    return false
  }
  return {
    forwards: (endAt) =>
      until(
        () => `the split reaches ${endAt ?? 'its end'}: ${last}`,
        async () => {
          const ran = await run([], endAt)
          return ran.isDone || (endAt && ran.reached.has(endAt)) ? ran : retry()
        },
      ),
    back: async () =>
      void (await until(
        () => `the tenants stay: ${last}`,
        async () => (await run(['--back'])).isDone || last.includes('go on with the split') || retry(),
      )),
  }
}
