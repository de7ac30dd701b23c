/** The codes of sweeps, as `httpErrors` has them. */
export const sweepErrors = {
  SWEEP_NOT_FOUND: { status: 404, message: 'There is no batch of sweeps with this id.', isOperatorOnly: true },
  SWEEPS_NOT_CONFIGURED: {
    status: 409,
    message: 'There are no sweeps: SWEEP_TREASURY_ADDRESS is not set.',
    isOperatorOnly: true,
  },
  NOTHING_TO_SWEEP: {
    status: 409,
    message: 'No address has the threshold in solid blocks, and no live sweep.',
    isOperatorOnly: true,
  },
  TREASURY_NOT_ALLOWED: {
    status: 422,
    message: 'The treasury is a top-up address, or the token’s issuer blocks it.',
    isOperatorOnly: true,
  },
} as const
