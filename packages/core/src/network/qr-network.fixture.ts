import { cancelling, type NetworkCapabilities, type UnpaidProof } from './qr-network.ts'

/** The abilities of a network whose orders cannot be cancelled. */
export const withoutCancel = (unpaidProof: UnpaidProof = { by: 'people' }): NetworkCapabilities => ({
  ...cancelling,
  unpaidProof,
  identityProof: 'statement',
  isPayRepeatable: false,
  isReadingSingleUse: true,
  givesReferenceAtPay: true,
  hasCallbacks: false,
  statementGrain: 'day',
})
