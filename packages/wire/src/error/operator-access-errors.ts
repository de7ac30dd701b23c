/** Errors of an operator’s token or session. */
export const operatorAccessErrors = {
  ROLE_REQUIRED: { status: 403, message: 'The role of the operator token does not allow this.', isOperatorOnly: true },
  OWN_PROPOSAL: {
    status: 403,
    message: 'Another operator must approve the proposal: it is your own.',
    isOperatorOnly: true,
  },
  CROSS_SITE_REQUEST: {
    status: 403,
    message: 'The console itself did not send this request: reload its page.',
    isOperatorOnly: true,
  },
} as const
