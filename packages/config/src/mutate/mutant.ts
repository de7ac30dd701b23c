/** A place in a file. Both count from 0. */
export type Position = { readonly line: number; readonly column: number }

/** `uncovered`: no test runs the code. `refused`: the mutant does not compile or load. */
export type MutantStatus = 'pending' | 'killed' | 'survived' | 'uncovered' | 'refused'

/** One change of the code, and what the tests did. */
export type Mutant = {
  /** The path from the root. */
  readonly file: string
  readonly start: Position
  /** The first position after it. */
  readonly end: Position
  /** Stryker's name for the kind of the change. */
  readonly mutator: string
  readonly replacement: string
  readonly status: MutantStatus
}

export const isSurvivor = ({ status }: Mutant): boolean =>
  status === 'survived' || status === 'uncovered'

/** How the list of explained mutants names a mutant: by its lines, so that code above may change. */
export type MutantText = {
  /** The lines as they are, in one line. */
  readonly code: string
  /** The same lines with the change. */
  readonly mutant: string
}

/** @param source  the text of the mutant's file */
export function textOf({ start, end, replacement }: Mutant, source: string): MutantText {
  const lines = source.split('\n').slice(start.line, end.line + 1)
  const before = lines.at(0)?.slice(0, start.column) ?? ''
  const after = lines.at(-1)?.slice(end.column) ?? ''
  return { code: inOneLine(lines.join('\n')), mutant: inOneLine(before + replacement + after) }
}

export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
