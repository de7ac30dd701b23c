import { codeLockMinutes } from '@quipu/core/operator'

/** Errors of an operator’s token or session. */
export const operatorAccessErrors = {
  ROLE_REQUIRED: { status: 403, message: 'The role of the operator token does not allow this.', isOperatorOnly: true },
  OWN_PROPOSAL: {
    status: 403,
    message: 'Another operator must approve the proposal: it is your own.',
    isOperatorOnly: true,
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    message: 'This needs a second factor: sign in to the console with the code of your authenticator app.',
    isOperatorOnly: true,
  },
  SECOND_FACTOR_WRONG: { status: 403, message: 'The code is wrong, or was used.', isOperatorOnly: true },
  SECOND_FACTOR_LOCKED: {
    status: 429,
    message: `Too many wrong codes: wait ${codeLockMinutes} minutes. Then each wrong one waits as long.`,
    isOperatorOnly: true,
  },
  SECOND_FACTOR_IN_EFFECT: {
    status: 409,
    message: 'You have a second factor. If it is lost, an admin removes it.',
    isOperatorOnly: true,
  },
  SECOND_FACTOR_UNAVAILABLE: {
    status: 409,
    message: 'No second factor can be made: `OPERATOR_SIGN_IN_KEY` is not set.',
    isOperatorOnly: true,
  },
  SECOND_FACTOR_NOT_FOUND: {
    status: 404,
    message: 'There is no other person with this name and a second factor.',
    isOperatorOnly: true,
  },
  CASE_NOT_FOUND: {
    status: 404,
    message: 'There is no deposit, payout, difference or case of screening with this id.',
    isOperatorOnly: true,
  },
  CASE_TAKEN: { status: 409, message: 'Another person has taken it, or nobody has.', isOperatorOnly: true },
  SESSION_NOT_FOUND: {
    status: 404,
    message: 'There is no open session with this id that you may end.',
    isOperatorOnly: true,
  },
  CROSS_SITE_REQUEST: {
    status: 403,
    message: 'The console itself did not send this request: reload its page.',
    isOperatorOnly: true,
  },
} as const
