import type { FaultJson } from '@quipu/wire'
import { type Text, texts } from '../../text/text.ts'

export const overviewTexts = texts({
  title: { en: 'Overview', es: 'Resumen' },
  faults: { en: 'Open faults', es: 'Fallas abiertas' },
  noFaults: {
    en: 'Nothing is faulty: processes, clocks, scans, ledger checks and rates work.',
    es: 'Nada falla: procesos, relojes, escaneos, controles del libro y tasas funcionan.',
  },
  safety: { en: 'Is money safe', es: '¿Está seguro el dinero?' },
  work: { en: 'What waits', es: 'Qué espera' },
  activity: { en: 'Payouts', es: 'Pagos' },
  period: { en: 'Period', es: 'Período' },
  hour: { en: '1 hour', es: '1 hora' },
  day: { en: '24 hours', es: '24 horas' },
  week: { en: '7 days', es: '7 días' },
  answerTimes: { en: 'Answer times in milliseconds', es: 'Tiempos de respuesta en milisegundos' },
  p95: { en: '95th percentile', es: 'Percentil 95' },
  incomplete: {
    en: (since: string) => `Counted since ${since}: the newest 10,000 payouts.`,
    es: (since: string) => `Contados desde ${since}: los 10.000 pagos más recientes.`,
  },
  noPayouts: {
    en: 'No payout has ended in this period. Choose a longer one, or make one in the sandbox.',
    es: 'Ningún pago terminó en este período. Elija uno más largo, o haga uno en pruebas.',
  },
})

/** The tiles: a figure, and what it means. */
export const tileTexts = texts({
  drift: { en: 'Ledger drift', es: 'Desvío del libro' },
  checked: {
    en: (time: string) => `every wallet checked within ${time}`,
    es: (time: string) => `cada billetera revisada en los últimos ${time}`,
  },
  differences: { en: 'Open differences', es: 'Diferencias abiertas' },
  liquidity: { en: 'Liquidity at the network', es: 'Liquidez en la red' },
  liquidityOk: { en: 'No alert', es: 'Sin alerta' },
  unwatched: { en: 'Not watched', es: 'Sin vigilar' },
  unwatchedHint: { en: 'NETWORK_LIQUIDITY_FLOOR_BOB is not set', es: 'NETWORK_LIQUIDITY_FLOOR_BOB no está definido' },
  liquidityLow: { en: 'Low', es: 'Baja' },
  liquidityFloor: {
    en: (floor: string) => `below the floor of ${floor}`,
    es: (floor: string) => `bajo el mínimo de ${floor}`,
  },
  liquidityHint: { en: 'below the floor it is a difference', es: 'bajo el mínimo es una diferencia' },
  rate: { en: 'Rate, BOB per USDT', es: 'Tasa, BOB por USDT' },
  noRate: { en: 'None', es: 'Ninguna' },
  rateFrom: {
    en: (about: { source: string; age: string }) => `${about.source}, ${about.age} old`,
    es: (about: { source: string; age: string }) => `${about.source}, hace ${about.age}`,
  },
  quotingPaused: { en: 'quoting is paused', es: 'cotizaciones en pausa' },
  processing: { en: 'Payouts in processing', es: 'Pagos en proceso' },
  oldest: { en: (age: string) => `oldest ${age}`, es: (age: string) => `el más antiguo ${age}` },
  none: { en: 'none waits', es: 'nada espera' },
  scans: { en: 'Chain scan lag', es: 'Atraso del escaneo' },
  noScan: { en: 'no scan yet', es: 'sin escaneo aún' },
  newestBlock: { en: 'age of the newest block', es: 'edad del bloque más nuevo' },
  deliveries: { en: 'Deliveries due', es: 'Entregas pendientes' },
  pausedEndpoints: {
    en: (count: string) => `${count} endpoints paused`,
    es: (count: string) => `${count} destinos en pausa`,
  },
  retrying: {
    en: (count: string) => `${count} failed, tried again later`,
    es: (count: string) => `${count} fallidas, se reintentan`,
  },
  failingEndpoints: {
    en: (count: string) => `${count} endpoints failing`,
    es: (count: string) => `${count} destinos fallan`,
  },
  approvals: { en: 'Approvals that wait', es: 'Aprobaciones que esperan' },
  alerts: { en: 'Alerts', es: 'Alertas' },
  nobody: { en: 'Nobody', es: 'Nadie' },
  nobodyHint: {
    en: 'OPERATOR_ALERT_URL is not set: the log alone has them',
    es: 'OPERATOR_ALERT_URL no está definido: solo el registro las tiene',
  },
  alertsReach: { en: 'Reach people', es: 'Llegan' },
  alertsWait: { en: (count: string) => `${count} wait`, es: (count: string) => `${count} esperan` },
  noneSent: { en: 'none was sent yet', es: 'aún no se envió ninguna' },
  lastSent: { en: (at: string) => `last one ${at}`, es: (at: string) => `última ${at}` },
  digest: { en: (day: string) => `digest of ${day}`, es: (day: string) => `resumen del ${day}` },
  screening: { en: 'Screening cases', es: 'Casos de verificación' },
  reviews: { en: 'Deposits in review', es: 'Depósitos en revisión' },
})

/** Checks that find differences. */
export const checkTexts = texts({
  ledger: { en: 'ledger', es: 'libro' },
  audit: { en: 'audit log', es: 'auditoría' },
  network: { en: 'network', es: 'red' },
  chain: { en: 'chain', es: 'cadena' },
  liquidity: { en: 'liquidity', es: 'liquidez' },
  report: { en: 'reports', es: 'informes' },
})

/** The remedy for a fault. */
export const faultTexts = texts<Readonly<Record<FaultJson['code'], Text>>>({
  PAYMENTS_HALTED: {
    en: 'Compare with the network and book what is missing, then confirm: docs/operations/restore.md.',
    es: 'Compare con la red y registre lo que falta; luego confirme: docs/operations/restore.md.',
  },
  PAYMENTS_UNCHECKED: {
    en: 'A worker must read the network’s statement first: see the workers’ log.',
    es: 'Un worker debe leer antes el extracto de la red: vea el registro de los workers.',
  },
  PAYOUTS_STOPPED: {
    en: 'When the reason is mended, propose to start payouts on this page; another person approves it.',
    es: 'Cuando se repare el motivo, proponga en esta página reanudar los pagos; otra persona lo aprueba.',
  },
  PROCESS_MISSING: {
    en: 'Restart it, or find out why it ended; its work is taken over by others of its kind.',
    es: 'Reinícielo, o averigüe por qué terminó; otros del mismo tipo toman su trabajo.',
  },
  NO_WORKER: {
    en: 'Start a worker: nothing settles open payouts, scans the chain or delivers events.',
    es: 'Inicie un worker: nada liquida pagos abiertos, escanea la cadena ni entrega eventos.',
  },
  CLOCK_APART: {
    en: 'Correct the clock of that machine: signatures and quotes depend on it.',
    es: 'Corrija el reloj de esa máquina: de él dependen firmas y cotizaciones.',
  },
  LEDGER_UNCHECKED: {
    en: 'See the workers’ log for why the ledger check has halted.',
    es: 'Vea en el registro de los workers por qué se detuvo el control del libro.',
  },
  SCAN_BEHIND: {
    en: 'Check the chain’s providers, then the workers’ log. Deposits wait and are not lost.',
    es: 'Revise los proveedores de la cadena y el registro de los workers. Los depósitos esperan y no se pierden.',
  },
  DEPOSITS_BEHIND: {
    en: 'Check the provider that the reason names: solid blocks have the deposits, and they wait.',
    es: 'Revise el proveedor que nombra el motivo: los depósitos están en bloques sólidos y esperan.',
  },
  NOTICES_BEHIND: {
    en: 'Check the mail gateway of TENANT_NOTICE_URL: technical contacts do not learn of changes.',
    es: 'Revise la pasarela de correo de TENANT_NOTICE_URL: los contactos técnicos no se enteran de los cambios.',
  },
  REVIEWS_WAIT: {
    en: 'Decide the oldest deposits in review: each needs a second person.',
    es: 'Decida los depósitos en revisión más antiguos: cada uno necesita una segunda persona.',
  },
  REVIEWS_LARGE: {
    en: 'Decide the largest deposits in review first.',
    es: 'Decida primero los depósitos en revisión más grandes.',
  },
  ALERTS_BEHIND: {
    en: 'Check the gateway of OPERATOR_ALERT_URL: alerts do not reach people. The log has them.',
    es: 'Revise la pasarela de OPERATOR_ALERT_URL: las alertas no llegan a nadie. El registro las tiene.',
  },
  LOCK_HELD: {
    en: 'End that session of the database. If it is none of your processes, replace the password of their role.',
    es: 'Termine esa sesión de la base de datos. Si no es de sus procesos, cambie la contraseña de su rol.',
  },
  TOKEN_ENDS_SOON: {
    en: 'Issue that person another token before this one ends, on the page Access.',
    es: 'Emita otro token para esa persona antes de que este venza, en la página Acceso.',
  },
  RECONCILIATION_LATE: {
    en: 'See the failure of the newest run on the page Reconciliation, and that a worker runs.',
    es: 'Vea el fallo de la última ejecución en la página Conciliación, y que haya un worker en marcha.',
  },
  RECONCILIATION_EMPTY: {
    en: 'Request a run. If the worker did not run this one, treat it as a break-in.',
    es: 'Pida una ejecución. Si esta no la hizo el worker, trátela como una intrusión.',
  },
  NETWORK_CHANGED: {
    en: 'Correct QR_NETWORK_URL of that process. If the network has moved, an admin confirms it on the page QR network.',
    es: 'Corrija QR_NETWORK_URL de ese proceso. Si la red se mudó, un administrador la confirma en la página Red QR.',
  },
  RATE_SOURCE_FAILED: {
    en: 'Check this source; quotes continue while enough others agree.',
    es: 'Revise esta fuente; se sigue cotizando mientras otras coincidan.',
  },
  RATE_SOURCES_DISAGREE: {
    en: 'Find the wrong source. Pause quoting if both may be wrong.',
    es: 'Encuentre la fuente equivocada. Pause las cotizaciones si ambas pueden estar mal.',
  },
  EXPOSURE_ABOVE_LIMIT: {
    en: 'Sell USDT and fund the network, and record both: quotes are given again below the limit.',
    es: 'Venda USDT y abone a la red, y registre ambas cosas: se vuelve a cotizar bajo el límite.',
  },
  RATE_UNAVAILABLE: {
    en: 'No quotes are given until a source answers with a fresh rate.',
    es: 'No se cotiza hasta que una fuente responda con una tasa reciente.',
  },
})
