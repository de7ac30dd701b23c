import { type PlantedFault, widely } from './planted-fault.ts'
import type { FailedTest, RunTests, TestRun, TestSelection } from './run-tests-in.ts'
import type { WorkingCopy } from './working-copy.ts'

/** What became of one fault. `widely`: the expected tests passed, and another one failed. */
export type Result =
  | {
      readonly type: 'found'
      readonly by: FailedTest
      readonly seconds: number
      readonly widely: boolean
    }
  | { readonly type: 'not found'; readonly seconds: number }
  | { readonly type: 'broken'; readonly reason: string }

type Planting = {
  readonly copy: WorkingCopy
  readonly runTests: RunTests
  /** Whether all tests nearby are run when the expected ones pass. */
  readonly isWide: boolean
}

/** Applies one fault to the copy, and runs its tests, then all tests nearby. */
export async function plantFault(
  { copy, runTests, isWide }: Planting,
  fault: PlantedFault,
): Promise<Result> {
  const runPlanted = async (selection: TestSelection): Promise<TestRun> => {
    using _planted = copy.apply(fault.patch)
    return await runTests(copy.folder, selection)
  }
  const expected = await runPlanted(selectionOf(fault))
  if (expected.type === 'broken') return expected
  if (expected.type === 'failed') return { ...expected, type: 'found', widely: false }
  let { seconds } = expected
  const except: string[] = []
  while (isWide) {
    const wide = await runPlanted({ files: widely(fault), except })
    if (wide.type === 'broken') return wide
    seconds += wide.seconds
    if (wide.type === 'passed') break
    const { file } = wide.by
    // Only a test that passes without the fault finds it.
    const without = await runTests(copy.folder, { files: [file] })
    if (without.type === 'passed') return { type: 'found', by: wide.by, seconds, widely: true }
    except.push(file)
  }
  return { type: 'not found', seconds }
}

const selectionOf = ({ tests, named }: PlantedFault): TestSelection =>
  named === undefined ? { files: tests } : { files: tests, named }

/** What these faults need to pass without a fault: one selection with names, one without. */
export function controlsOf(faults: readonly PlantedFault[]): readonly TestSelection[] {
  const whole = faults.filter(({ named }) => named === undefined)
  const named = faults.filter((fault) => fault.named !== undefined)
  const filesOf = (some: readonly PlantedFault[]): string[] =>
    Array.from(new Set(some.flatMap(({ tests }) => tests)))
  const pattern = Array.from(new Set(named.map((fault) => `(?:${fault.named})`))).join('|')
  const selections = [{ files: filesOf(whole) }, { files: filesOf(named), named: pattern }]
  return selections.filter(({ files }) => files.length > 0)
}
