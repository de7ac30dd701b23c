import type { reviewCodes } from '@quipu/core/adapter'
import type { Explanation } from './explanation.ts'

const inReview = (when: string, remedy: string): Explanation => ({ when, debited: 'not_credited', remedy, retry: 'no' })

const operatorDecides =
  'Nothing can be done by a request: the operator of the service credits the deposit, and `deposit.credited` follows, or closes it.'

/** Why a deposit is in review. */
export const reviewExplanations: Readonly<Record<(typeof reviewCodes)[number], Explanation>> = {
  TRANSFER_DROPPED: inReview(
    'A fork of the chain removed the transfer before it was confirmed: the tokens never arrived.',
    'Look the transaction up on the chain, and send the tokens again.',
  ),
  SENDER_LISTED: inReview('The service may not accept the sender without a review.', operatorDecides),
  SENDER_NOT_SCREENED: inReview('The service could not check the sender.', 'Wait: it is decided again by itself.'),
  TENANT_NOT_ACTIVE: inReview(
    'Your account was suspended when the transfer was confirmed.',
    `Clarify the suspension. ${operatorDecides}`,
  ),
  ADDRESS_RETIRED: inReview(
    'The transfer went to a top-up address that has been replaced.',
    `Use the address that \`GET /v1/wallets\` shows from now on. ${operatorDecides}`,
  ),
  SENDER_BLOCKED: inReview('The issuer of the token blocks the sender.', operatorDecides),
  ADDRESS_FROZEN: inReview(
    'The issuer of the token has frozen your top-up address: what arrives there can never move.',
    `Send nothing more to it; the operator gives you another address. ${operatorDecides}`,
  ),
  SENDER_IS_SERVICE: inReview(
    'The sender is an address of the service itself, such as a top-up address.',
    operatorDecides,
  ),
  ADDRESS_NOT_VERIFIED: inReview(
    'The service could not verify its record of your top-up address.',
    'Wait: it is decided again by itself once the record is verified.',
  ),
  TOKEN_STATE_CHANGED: inReview(
    'The token’s contract was paused or deprecated, or charged a fee for each transfer, when the transfer was confirmed.',
    operatorDecides,
  ),
  SOURCES_DISAGREE: inReview('Two providers of the chain show the transfer differently.', operatorDecides),
  AMOUNT_BELOW_MINIMUM: inReview(
    'The amount is below `minimum_amount` of the top-up address. A review of dust (below 0.01 USDT) is closed at once.',
    `Send at least the minimum at once. ${operatorDecides}`,
  ),
  AMOUNT_ABOVE_AUTO_LIMIT: inReview(
    'The amount is above what is credited without a person: for one deposit, or for a day while only one provider confirms.',
    operatorDecides,
  ),
}
