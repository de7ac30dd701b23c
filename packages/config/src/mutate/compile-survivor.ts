import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../command.ts'
import type { Mutant } from './mutant.ts'
import type { PackageName } from './selection.ts'

/** The text of a file with the mutant in it. */
function applied({ start, end, replacement }: Mutant, source: string): string {
  const lines = source.split('\n')
  const before = [...lines.slice(0, start.line), lines[start.line]?.slice(0, start.column)]
  const after = [lines[end.line]?.slice(end.column), ...lines.slice(end.line + 1)]
  return before.join('\n') + replacement + after.join('\n')
}

/** The package's settings, for its sources alone. What is unused is no error: that says nothing of behaviour. */
const settings = {
  extends: './tsconfig.json',
  compilerOptions: {
    ...{ composite: false, incremental: false, noEmit: true, rootDir: '../..' },
    ...{ noUnusedLocals: false, noUnusedParameters: false },
  },
  references: [],
}

/** @returns what the compiler prints; nothing when the package compiles */
export async function compile(folder: string, name: PackageName): Promise<string> {
  const project = `packages/${name}/tsconfig.mutated.json`
  writeFileSync(join(folder, project), JSON.stringify(settings))
  const { code, output } = await run(['tsc', '--project', project], folder)
  return code === 0 ? '' : output
}

/** Whether the package compiles with the mutant. The test command compiles, so nobody can commit the others. */
export async function compiles(
  folder: string,
  name: PackageName,
  mutant: Mutant,
): Promise<boolean> {
  const file = join(folder, mutant.file)
  const source = readFileSync(file, 'utf8')
  writeFileSync(file, applied(mutant, source))
  try {
    return (await compile(folder, name)) === ''
  } finally {
    writeFileSync(file, source)
  }
}
