import type { Merchant, QrRefused } from './qr-network.ts'
import { Unavailable } from '../unavailable.ts'
import type { Screen, Screened } from '../screening/screen.ts'
import { merchantSubject } from '../screening/screening.ts'

type Reading = { readonly type: 'read'; readonly merchant: Merchant }

/**
 * The reading; or a refused one when its merchant is listed, which the tenant cannot distinguish from any refused QR.
 * At once without screening, and when a local list has the merchant clear.
 *
 * @throws Unavailable when screening gives no answer
 */
export function screenReading<R extends Reading>(
  screen: Screen | undefined,
  tenantId: string,
  reading: R | QrRefused,
): R | QrRefused | Promise<R | QrRefused> {
  if (screen === undefined || reading.type === 'refused_qr') return reading
  const screened = screen(merchantSubject(reading.merchant), { tenantId, reference: null })
  return screened instanceof Promise ? screened.then((late) => readingOf(late, reading)) : readingOf(screened, reading)
}

function readingOf<R extends Reading>(screened: Screened, reading: R): R | QrRefused {
  if (screened.outcome === 'unanswered') throw new Unavailable('screening', screened.problem)
  return screened.outcome === 'clear' ? reading : { type: 'refused_qr', reason: 'its merchant is listed' }
}
