import { type OptionKinds, optionLines, type OptionValues, readOptions } from './options.ts'
import type { Report } from './report.ts'

/** Inputs of a run of a subject besides its options. */
export type Run = {
  /** Prints a line of progress. */
  readonly say: (line: string) => void
  /** The folder of reports, and of logs of what has failed. */
  readonly out: string
}

/** A subject whose options are read: what is left is to run it. */
export type PreparedRun = {
  readonly out: string
  readonly options: Readonly<Record<string, unknown>>
  run(say: Run['say']): Promise<Report>
}

/** The subject of a command of the laboratory. */
export type Subject = {
  /** One line for each option. */
  readonly usage: readonly string[]
  /** @throws OptionError when an option is unknown, or cannot be used */
  prepare(args: readonly string[]): PreparedRun
}

const shared = {
  out: { means: 'folder of the report; .quipu/lab by default', read: (given) => given ?? '.quipu/lab' },
} satisfies OptionKinds

export function subjectOf<Kinds extends OptionKinds>(
  kinds: Kinds,
  run: (options: OptionValues<Kinds>, about: Run) => Promise<Report>,
): Subject {
  return {
    usage: optionLines({ ...kinds, ...shared }),
    prepare: (args) => {
      const all: unknown = readOptions({ ...kinds, ...shared }, args)
      const options = all as OptionValues<Kinds> & OptionValues<typeof shared>
      const { out } = options
      return { out, options, run: (say) => run(options, { say, out }) }
    },
  }
}
