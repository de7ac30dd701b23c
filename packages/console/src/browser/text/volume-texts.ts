import { texts } from './text.ts'

/** Statuses of payouts. */
export const payoutStatusTexts = texts({
  processing: { en: 'Processing', es: 'En proceso' },
  completed: { en: 'Completed', es: 'Completado' },
  failed: { en: 'Failed', es: 'Fallido' },
  rejected: { en: 'Rejected', es: 'Rechazado' },
  cancelled: { en: 'Cancelled', es: 'Cancelado' },
})

/** Sums of payouts and their outcomes. */
export const volumeTexts = texts({
  volume: { en: 'Volume', es: 'Volumen' },
  bob: { en: 'Paid', es: 'Pagado' },
  usdt: { en: 'Charged', es: 'Cobrado' },
  ended: { en: 'Ended', es: 'Terminados' },
  completed: { en: 'Completed', es: 'Completados' },
  median: { en: 'Median', es: 'Mediana' },
  p99: { en: 'p99', es: 'p99' },
  outcomes: { en: 'Ended payouts by outcome', es: 'Pagos terminados por resultado' },
  payouts: { en: 'Payouts', es: 'Pagos' },
})
