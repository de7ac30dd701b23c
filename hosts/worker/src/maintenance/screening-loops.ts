import type { Screen, Screening } from '@quipu/core'
import { endOutages, screenAllTenants } from '@quipu/core/operator'
import type { NamedLoop } from '@quipu/runtime'
import type { WorkerContext, WorkerStores } from '../ports.ts'
import { endScreeningOutages, passHaltedAfterMs, screenTenants } from './periodic-task.ts'
import { recordedTask } from './recorded-task.ts'

/** Screens all tenants once a day, and ends the cases of outages. */
export const screeningLoops = (
  context: WorkerContext,
  { tenants, screeningCases: cases }: Pick<WorkerStores, 'tenants' | 'screeningCases'>,
  { screening, screen }: { readonly screening: Screening; readonly screen: Screen },
): readonly NamedLoop[] => [
  recordedTask(context, screenTenants, {
    task: 'screening_tenants',
    run: () => screenAllTenants({ tenants, screen }),
    done: 'tenants were screened; screening again in a day',
    failed: 'screening tenants failed; retrying in 1 min',
    haltedAfterMs: passHaltedAfterMs,
  }),
  recordedTask(context, endScreeningOutages, {
    task: 'screening_outages',
    run: () => endOutages({ cases, screening }),
    done: 'outages of screening were looked at; looking again in 1 min',
    failed: 'looking at outages of screening failed; retrying in 1 min',
    level: 'debug',
  }),
]
