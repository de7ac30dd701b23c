/** Why an endpoint or a delivery is not as a request needs it. */
export const webhookErrors = {
  WEBHOOK_LIMIT_REACHED: {
    status: 409,
    message: 'There are as many webhook endpoints as there may be. Delete one first.',
    es: 'Ya hay tantos endpoints de webhooks como puede haber. Elimine uno primero.',
  },
  TOO_MANY_SECRETS: {
    status: 409,
    message: 'As many secrets are valid as may be at once. Rotate again when one has expired.',
    es: 'Ya son válidos tantos secretos como puede haber a la vez. Rote de nuevo cuando uno haya vencido.',
  },
  WEBHOOK_PAUSED_BY_OPERATOR: {
    status: 409,
    message: 'The service’s operator has paused the webhook endpoint and resumes it. Its events queue.',
    es: 'El operador del servicio pausó el endpoint de webhooks, y es él quien lo reanuda. Sus eventos esperan en cola.',
  },
  DELIVERY_PENDING: {
    status: 409,
    message: 'An attempt of the delivery is due by itself, or under way.',
    es: 'Un intento de la entrega ya está previsto o en curso.',
  },
} as const
