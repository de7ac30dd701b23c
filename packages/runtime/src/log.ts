import { type Alarm, isoText } from '@quipu/core'
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/** What LOG_LEVEL may be. */
export const logLevels: readonly ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'silent',
]

/** Members that never reach a log, wherever they are in a line: the second lock behind not logging them. */
const secrets = [
  'x-api-key',
  'authorization',
  'content',
  'account_number',
  'secret',
  'key',
  'token',
]
const redacted = secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

/** A log whose lines are one JSON object each, without secrets. */
export function jsonLog(level: LevelWithSilent, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${isoText(new Date())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorToJson },
    redact: { paths: redacted, censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Writes each incident as an error line with `alarm`, the member to page on. */
export const logAlarm =
  (log: Logger): Alarm =>
  ({ code, tenantId, subject, detail }) =>
    log.error({ alarm: code, tenant_id: tenantId, subject, detail }, 'alarm')

type ErrorJson = { type: string; message: string; code?: string; stack?: string; cause?: ErrorJson }

/** Only these members: a driver's error also carries rows and parameters. */
function errorToJson(error: unknown): ErrorJson {
  if (!(error instanceof Error)) return { type: typeof error, message: 'something else was thrown' }
  const { name, message, stack, cause } = error
  const code: unknown = Reflect.get(error, 'code')
  return {
    type: name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(stack !== undefined && { stack }),
    ...(cause instanceof Error && { cause: errorToJson(cause) }),
  }
}
