import type { Screen, Screening } from '@quipu/core'
import { endOutages, screenAllTenants } from '@quipu/core/operator'
import type { NamedLoop } from '@quipu/runtime'
import type { WorkerContext, WorkerStores } from '../ports.ts'
import { dailyTask } from './daily-task.ts'
import { endScreeningOutages } from './periodic-task.ts'
import { recordedTask } from './recorded-task.ts'

/** Screens all tenants once a day in one worker, and ends the cases of outages. */
export const screeningLoops = (
  context: WorkerContext,
  { tenants, screeningCases: cases, dailyTasks }: Pick<WorkerStores, 'tenants' | 'screeningCases' | 'dailyTasks'>,
  { screening, screen }: { readonly screening: Screening; readonly screen: Screen },
): readonly NamedLoop[] => [
  // Lists grow, and a tenant that passed once may be on the next one. Today's screening stands for missed days.
  dailyTask(context, { dailyTasks }, () => screenAllTenants({ tenants, screen }), {
    task: 'screening_tenants',
    dueSeconds: 0,
    missedDays: 0,
    done: 'tenants were screened; screening again tomorrow',
    failed: 'screening tenants failed; retrying',
  }),
  recordedTask(context, endScreeningOutages, {
    task: 'screening_outages',
    run: () => endOutages({ cases, screening }),
    done: 'outages of screening were looked at; looking again in 1 min',
    failed: 'looking at outages of screening failed; retrying',
    level: 'debug',
  }),
]
