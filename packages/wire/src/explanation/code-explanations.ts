import type { Text } from '../text/text.ts'
import { type HttpErrorCode, type HttpErrorKind, httpErrors } from '../error/http-errors.ts'
import type { Explanation, Remedy } from './explanation.ts'
import { operatorRemedies } from './operator-remedies.ts'
import { payoutExplanations } from './payout-explanations.ts'
import { reviewExplanations } from './review-explanations.ts'
import { tenantRemedies } from './tenant-remedies.ts'

type Explanations = Readonly<Record<string, Explanation<Text | string>>>

/** Every code of a document by what carries it: an HTTP error, a payout, or a deposit in review. */
export type CodeExplanations = {
  readonly errors: Explanations
  readonly payouts: Explanations
  readonly reviews: Explanations
}

/** A code without a remedy does not compile. `QR_REFUSED` means the same in both. */
const remedies: Readonly<Record<HttpErrorCode, Remedy<Text | string>>> = {
  ...tenantRemedies,
  ...operatorRemedies,
  QR_REFUSED: payoutExplanations.QR_REFUSED,
}

const whenOf = (error: HttpErrorKind): Text | string =>
  'es' in error ? { en: error.message, es: error.es } : error.message

const errorsWhere = (isListed: (code: HttpErrorCode) => boolean): Explanations =>
  Object.fromEntries(
    (Object.keys(httpErrors) as HttpErrorCode[])
      .filter(isListed)
      .map((code) => [code, { ...remedies[code], when: whenOf(httpErrors[code]) }]),
  )

/** The codes that tenants meet. */
export const tenantCodes = (): CodeExplanations => ({
  errors: errorsWhere((code) => !('isOperatorOnly' in httpErrors[code])),
  payouts: payoutExplanations,
  reviews: reviewExplanations,
})

/** The codes that operators meet. */
export const operatorCodes = (): CodeExplanations => ({ ...tenantCodes(), errors: errorsWhere(() => true) })
