/** Why an endpoint or a delivery is not as a request needs it. */
export const webhookErrors = {
  WEBHOOK_LIMIT_REACHED: {
    status: 409,
    message: 'There are as many webhook endpoints as there may be. Delete one first.',
  },
  TOO_MANY_SECRETS: {
    status: 409,
    message: 'As many secrets are valid as may be at once. Rotate again when one has expired.',
  },
  WEBHOOK_PAUSED_BY_OPERATOR: {
    status: 409,
    message: 'The service’s operator has paused the webhook endpoint and resumes it. Its events queue.',
  },
  DELIVERY_PENDING: { status: 409, message: 'An attempt of the delivery is due by itself, or under way.' },
} as const
