import { z } from 'zod'

/** The answer of `GET /healthz`: the process is alive. */
export const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })

/** The answer of `GET /readyz`: 200 when every check passes, 503 otherwise. */
export const readiness = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: z.record(z.string(), z.enum(['ok', 'failing'])),
    payments: z
      .enum(['begin', 'stopped', 'halted', 'unknown'])
      .meta({
        description:
          '`stopped`: an operator has stopped payouts. `halted`: the database may have forgotten payments, and no payout is accepted until an operator or a worker has shown that it has not. It does not change `status`.',
      }),
  })
  .meta({ id: 'Readiness' })
export type ReadinessJson = z.output<typeof readiness>

/**
 * @param checks  the result of each check, by its name
 * @param payments  whether payments begin
 */
export const readinessToJson = (
  checks: Readonly<Record<string, boolean>>,
  payments: ReadinessJson['payments'],
): ReadinessJson => ({
  status: Object.values(checks).every(Boolean) ? 'ready' : 'not_ready',
  checks: Object.fromEntries(Object.entries(checks).map(([name, works]) => [name, works ? 'ok' : 'failing'])),
  payments,
})
