import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

/** The result of a run of random samples. */
export type Samples = {
  readonly isViolated: boolean
  /** Quint's output: the samples, the steps to a violation, and the seed that repeats it. */
  readonly output: string
  /** In how many of the samples each witness was seen. */
  readonly witnessed: Readonly<Record<string, number>>
}

export type Sampling = {
  /** The instance of the model. */
  readonly main: string
  readonly invariants: readonly string[]
  readonly witnesses?: readonly string[]
  /** The run ends earlier at the first violation. */
  readonly samples: number
  /** Steps of each sample. */
  readonly steps: number
  /** Random if omitted; the output names it. */
  readonly seed?: string
}

const library = createRequire(import.meta.url).resolve('@informalsystems/quint')
const quint = path.join(path.dirname(library), 'cli.js')
const model = fileURLToPath(new URL('../payout.qnt', import.meta.url))

/**
 * Runs the model with Quint's own simulator, which downloads nothing.
 *
 * @throws Error with Quint's output when the run ends with neither result
 */
export async function sample(sampling: Sampling): Promise<Samples> {
  const { main, invariants, witnesses = [], samples, steps, seed } = sampling
  const output = await run([
    'run',
    model,
    ...['--backend', 'typescript', '--main', main],
    ...['--max-samples', String(samples), '--max-steps', String(steps)],
    ...['--invariants', ...invariants],
    ...(witnesses.length > 0 ? ['--witnesses', ...witnesses] : []),
    ...(seed === undefined ? [] : ['--seed', seed]),
  ])
  const isViolated = output.includes('[violation]')
  if (isViolated === output.includes('[ok]')) throw new Error(output)
  const witnessed: Record<string, number> = {}
  for (const [, name = '', count] of output.matchAll(/^(\w+) was witnessed in (\d+) trace/gm))
    witnessed[name] = Number(count)
  return { isViolated, output, witnessed }
}

/** The program's output, whatever its exit code: for Quint a violation is a failure. */
const run = (flags: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const options = { maxBuffer: 64 * 1024 * 1024 }
    execFile(execPath, [quint, ...flags], options, (_, out, problems) => resolve(out + problems))
  })
