import type { RaiseAlert } from '@quipu/core'
import { logAlert } from '@quipu/runtime'
import type { System } from '../ports.ts'

/** How this process raises alerts. */
export const raiseAlertOf = ({ alerting, log }: Pick<System, 'alerting' | 'log'>): RaiseAlert =>
  alerting?.raiseAlert ?? logAlert(log)
