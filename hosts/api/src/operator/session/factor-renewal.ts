import type { KeyRing, Timer } from '@quipu/core'
import { type Logger, type PollingLoop, pollingLoop } from '@quipu/runtime'
import { type SecondFactorPorts, secondFactors } from './second-factors.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]

/** Encrypts second factors of older keys by the current key of `OPERATOR_SIGN_IN_KEY`, at the start and every hour. */
export const factorRenewal = (
  { log, timer, ...ports }: SecondFactorPorts & { readonly log: Pick<Logger, 'info' | 'error'>; readonly timer: Timer },
  keys: KeyRing | undefined,
): PollingLoop => {
  const { renew } = secondFactors(ports, keys)
  return pollingLoop(async () => {
    try {
      const { renewed, unreadable } = await renew()
      if (renewed > 0) log.info({ renewed }, 'renewed second factors with the current key of OPERATOR_SIGN_IN_KEY')
      if (unreadable.length > 0)
        log.error(
          { count: unreadable.length, first: unreadable[0] },
          'second factors cannot be read with the keys of OPERATOR_SIGN_IN_KEY: add the key that made them',
        )
      return hourMs
    } catch (error) {
      log.error({ err: error }, 'renewing second factors failed; retrying')
      return minuteMs
    }
  }, timer)
}
