import { OptionError } from '../run/options.ts'
import { findPrograms } from '../patroni/programs.ts'
import type { Report } from '../run/report.ts'
import type { Run } from '../run/subject.ts'
import { drillSplit, type SplitDrill, type SplitPlan } from './split-drill.ts'
import { splitSteps } from './split-command.ts'

type Done = { readonly plan: SplitPlan; readonly drill: SplitDrill | Error }

/** Splits of a cell under Patroni: the first without a fault, then with the loss of its primary at one step after another. */
export async function runSplits(
  { runs, seed }: { readonly runs: number; readonly seed: number },
  { say }: Run,
): Promise<Report> {
  const programs = findPrograms()
  if (!('patroni' in programs)) throw new OptionError(['--split needs these programs.', ...programs].join('\n'))
  const done: Done[] = []
  for (let number = 0; number < runs; number++) {
    const failsAt = number === 0 ? undefined : splitSteps[(seed + number - 1) % splitSteps.length]
    const plan = { seed: seed + number, failsAt }
    const drill = await drillSplit(plan, programs).catch((error: unknown) => error as Error)
    done.push({ plan, drill })
    say(rowOf({ plan, drill }).join(', '))
  }
  const drills = done.flatMap(({ drill }) => (drill instanceof Error ? [] : [drill]))
  const sum = (name: 'orders' | 'deposits' | 'events' | 'promotions'): number =>
    drills.reduce((total, drill) => total + drill[name], 0)
  return {
    result: {
      splits: runs,
      orders: sum('orders'),
      deposits: sum('deposits'),
      events: sum('events'),
      promotions: sum('promotions'),
    },
    failures: done.flatMap(({ plan, drill }) =>
      (drill instanceof Error ? [`${drill.stack}`] : drill.violations).map((each) => `seed ${plan.seed}: ${each}`),
    ),
    tables: [{ columns, rows: done.map(rowOf) }],
  }
}

const columns = ['Seed', 'Primary lost at', 'Stop to enter, ms', 'Moved without payouts, ms', 'Others, ms', 'Failed']

function rowOf({ plan: { seed, failsAt }, drill }: Done): readonly (string | number)[] {
  if (drill instanceof Error) return [seed, failsAt ?? '', drill.message, '', '', '']
  const { moveMs, movedStoppedMs, othersStoppedMs, othersFailed } = drill
  return [seed, failsAt ?? '', moveMs ?? '', movedStoppedMs, othersStoppedMs, othersFailed]
}
