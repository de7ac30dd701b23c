import { texts } from '../../text/text.ts'

export const rateTexts = texts({
  title: { en: 'Rates', es: 'Tasas' },
  quoting: { en: 'Quoting', es: 'Cotizaciones' },
  rate: { en: 'BOB per USDT, before the margin', es: 'BOB por USDT, antes del margen' },
  noRate: { en: 'No rate', es: 'Sin tasa' },
  source: { en: 'Source', es: 'Fuente' },
  observed: { en: 'Observed', es: 'Observada' },
  age: { en: 'Age', es: 'Edad' },
  ahead: { en: 'ahead', es: 'adelantada' },
  spread: { en: 'Sources differ by', es: 'Las fuentes difieren en' },
  basisPoints: {
    en: (about: { spread: string; max: string }) => `${about.spread} of ${about.max} basis points`,
    es: (about: { spread: string; max: string }) => `${about.spread} de ${about.max} puntos base`,
  },
  disagree: { en: 'too much', es: 'demasiado' },
  alone: { en: 'fewer than two sources', es: 'menos de dos fuentes' },
  changedBy: { en: 'Last paused or resumed by', es: 'Última pausa o reanudación por' },
  changedAt: { en: 'Changed', es: 'Cambiado' },
  sources: { en: 'Sources', es: 'Fuentes' },
  bid: { en: 'Bid', es: 'Compra' },
  problem: { en: 'Why it is not usable', es: 'Por qué no sirve' },
  noSource: { en: 'No source is configured.', es: 'No hay fuentes configuradas.' },
  usable: { en: 'Usable', es: 'Utilizable' },
  unusable: { en: 'Not usable', es: 'No utilizable' },
})

export const quotingTexts = texts({ open: { en: 'Open', es: 'Abiertas' }, paused: { en: 'Paused', es: 'En pausa' } })

export const rateActionTexts = texts({
  pause: { en: 'Pause quoting', es: 'Pausar las cotizaciones' },
  pauseHint: {
    en: 'New quotes are refused at once, by every process. Quotes that exist stay payable.',
    es: 'Todos los procesos rechazan de inmediato las cotizaciones nuevas. Las existentes siguen siendo pagables.',
  },
  paused: { en: 'Quoting is paused.', es: 'Las cotizaciones están en pausa.' },
  resume: { en: 'Resume quoting', es: 'Reanudar las cotizaciones' },
  resumeHint: {
    en: 'Quotes are given again, at the rate that this page shows.',
    es: 'Se vuelve a cotizar, con la tasa que muestra esta página.',
  },
  resumed: { en: 'Quoting is open again.', es: 'Se vuelve a cotizar.' },
})
