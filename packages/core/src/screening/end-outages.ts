import { Unavailable } from '../unavailable.ts'
import type { ScreeningStore } from './case.ts'
import type { Screening, ScreeningKind } from './screening.ts'

/** Ends the case of an outage once screening answers about what it did not answer then. */
export async function endOutages({
  cases,
  screening,
}: {
  readonly cases: Pick<ScreeningStore, 'outages' | 'answered'>
  readonly screening: Screening
}): Promise<void> {
  for (const { kind, name } of await cases.outages()) {
    if (await answers(screening, kind, name)) await cases.answered(kind)
  }
}

async function answers(screening: Screening, kind: ScreeningKind, name: string): Promise<boolean> {
  try {
    await screening.screen({ kind, texts: [name], id: '' })
    return true
  } catch (error) {
    if (error instanceof Unavailable) return false
    throw error
  }
}
