import { texts } from '../../text/text.ts'

export const endpointTexts = texts({
  title: { en: 'Webhook endpoints', es: 'Endpoints de webhooks' },
  one: { en: 'Webhook endpoint', es: 'Endpoint de webhooks' },
  url: { en: 'URL', es: 'URL' },
  description: { en: 'Description', es: 'Descripción' },
  events: { en: 'Events', es: 'Eventos' },
  secrets: { en: 'Secrets', es: 'Secretos' },
  signsUntil: { en: 'signs until', es: 'firma hasta' },
  queued: { en: 'Queued', es: 'En cola' },
  oldest: { en: 'Oldest queued', es: 'Más antigua en cola' },
  failing: { en: 'Failing since', es: 'Falla desde' },
  exhausted: { en: 'Exhausted in a row', es: 'Agotadas seguidas' },
  pausedBy: { en: 'Paused by', es: 'Pausado por' },
  pausedAt: { en: 'Paused', es: 'Pausado' },
  pauseReason: { en: 'Reason of the pause', es: 'Motivo de la pausa' },
  byTenant: { en: 'its tenant', es: 'su cliente' },
  byFailures: { en: 'its failures', es: 'sus fallas' },
  empty: {
    en: 'No endpoint matches. Tenants register endpoints with their API keys.',
    es: 'Ningún endpoint coincide. Los clientes los registran con sus claves de API.',
  },
})

export const endpointStateTexts = texts({
  active: { en: 'Active', es: 'Activo' },
  paused: { en: 'Paused', es: 'Pausado' },
  failing: { en: 'Failing', es: 'Falla' },
  slow: { en: 'Slow', es: 'Lento' },
})

export const endpointActionTexts = texts({
  pause: { en: 'Pause', es: 'Pausar' },
  pauseHint: {
    en: 'Nothing more is sent to it; events queue up. Only an operator resumes it, and the tenant does not read the reason.',
    es: 'Ya no se le envía nada; los eventos quedan en cola. Solo un operador lo reanuda, y el cliente no lee el motivo.',
  },
  paused: { en: 'The endpoint is paused.', es: 'El endpoint está pausado.' },
  resume: { en: 'Resume', es: 'Reanudar' },
  resumeHint: {
    en: 'What was queued is sent, each event once and in order.',
    es: 'Se envía lo que quedó en cola, cada evento una vez y en orden.',
  },
  resumed: {
    en: (count: string) => `The endpoint is active; ${count} deliveries are due.`,
    es: (count: string) => `El endpoint está activo; ${count} entregas están pendientes.`,
  },
  resend: { en: 'Send once more', es: 'Enviar otra vez' },
  resendHint: { en: 'Sends the same event to the endpoint again.', es: 'Envía de nuevo el mismo evento al endpoint.' },
  resent: { en: 'The delivery is due again.', es: 'La entrega está pendiente otra vez.' },
})

export const deliveryTexts = texts({
  title: { en: 'Deliveries', es: 'Entregas' },
  one: { en: 'Delivery', es: 'Entrega' },
  event: { en: 'Event', es: 'Evento' },
  endpoint: { en: 'Endpoint', es: 'Endpoint' },
  attempts: { en: 'Attempts', es: 'Intentos' },
  next: { en: 'Next attempt', es: 'Próximo intento' },
  ended: { en: 'Ended', es: 'Terminada' },
  answer: { en: 'Answer', es: 'Respuesta' },
  latency: { en: 'Took, ms', es: 'Duró, ms' },
  excerpt: { en: 'Begin of the answer', es: 'Inicio de la respuesta' },
  noAttempt: { en: 'It was not attempted yet.', es: 'Todavía no se intentó.' },
  empty: { en: 'No delivery matches.', es: 'Ninguna entrega coincide.' },
  choose: {
    en: 'Enter the id of a tenant, an endpoint or an event. Endpoints and events lead to their deliveries.',
    es: 'Ingrese el id de un cliente, un endpoint o un evento. Los endpoints y eventos llevan a sus entregas.',
  },
})

export const deliveryStatusTexts = texts({
  pending: { en: 'Pending', es: 'Pendiente' },
  held: { en: 'Queued while paused', es: 'En cola por pausa' },
  delivered: { en: 'Delivered', es: 'Entregada' },
  exhausted: { en: 'Exhausted', es: 'Agotada' },
})

export const eventTexts = texts({
  title: { en: 'Events', es: 'Eventos' },
  one: { en: 'Event', es: 'Evento' },
  type: { en: 'Type', es: 'Tipo' },
  occurred: { en: 'Occurred', es: 'Ocurrido' },
  recorded: { en: 'Recorded', es: 'Registrado' },
  body: { en: 'What endpoints receive', es: 'Lo que reciben los endpoints' },
  none: { en: 'No event was recorded about it.', es: 'No se registraron eventos.' },
  empty: { en: 'No event matches. Take a filter away.', es: 'Ningún evento coincide. Quite un filtro.' },
})
