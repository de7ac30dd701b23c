import { type Alert, type RaiseAlert, type Timer, Unavailable } from '@quipu/core'
import { isoText } from '@quipu/core/adapter'
import { severityOf } from '@quipu/core/operator'
import { activeTraceId } from '@quipu/tracing'
import { type DestinationStream, type LevelWithSilent, type Logger, type LoggerOptions, pino } from 'pino'
import { lineLimit, type LimitedLevel, type Suppressed } from './line-limit.ts'
import { idleTimer } from '@quipu/core/system'

export type { Logger } from 'pino'

/** The values of `LOG_LEVEL`. */
export const logLevels: readonly ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'silent',
]

/** Members that are redacted down to the third level of a line, should code ever log them. */
const secrets = ['x-api-key', 'authorization', 'content', 'account_number', 'secret', 'key', 'token']
const redacted = secrets.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])

/**
 * A log of one JSON object per line, with secrets redacted.
 *
 * A repeated warning or error is written ten times in ten seconds; the number of the others follows as `suppressed`.
 * Alerts are always written. A line within a recorded trace has its `trace_id`.
 */
export function jsonLog(level: LevelWithSilent, destination?: DestinationStream, timer: Timer = idleTimer): Logger {
  const limit = lineLimit(timer, ({ level: name, line, count }: Suppressed): void =>
    log[name](
      { suppressed: count, line },
      'suppressed repetitions of a line; the first ten of each ten seconds are written',
    ),
  )
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${isoText(new Date())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => errorToJson(error) },
    redact: { paths: redacted, censor: '[redacted]' },
    hooks: {
      logMethod(args, method, number) {
        const name = limitedLevels[number]
        const [about, text] = lineOf(args)
        const isLimited = name !== undefined && !('alert' in about || 'suppressed' in about)
        if (isLimited && !limit.admits(name, text, about['err'])) return
        const traceId = activeTraceId()
        method.apply(this, traceId === undefined ? args : withTraceId(args, traceId))
      },
    },
  }
  const log = destination ? pino(options, destination) : pino(options)
  return log
}

const limitedLevels: Readonly<Partial<Record<number, LimitedLevel>>> = {
  [pino.levels.values['warn'] ?? 0]: 'warn',
  [pino.levels.values['error'] ?? 0]: 'error',
  [pino.levels.values['fatal'] ?? 0]: 'fatal',
}

/** Adds the trace to the members, unless they name one. */
function withTraceId(args: LogArguments, traceId: string): LogArguments {
  const [about] = lineOf(args)
  const hasMembers = typeof args[0] === 'object' && args[0] !== null
  return [{ trace_id: traceId, ...about }, ...(hasMembers ? args.slice(1) : args)] as LogArguments
}

type LogArguments = Parameters<NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>>[0]

/** The members and the text in the arguments of a logger's method. */
function lineOf([first, second]: readonly unknown[]): [Readonly<Record<string, unknown>>, string] {
  if (typeof first !== 'object' || first === null) return [{}, String(first)]
  return [first as Readonly<Record<string, unknown>>, String(second)]
}

/** Writes each alert as an error line whose member `alert` is its code: page on that member. */
export const logAlert =
  (log: Logger): RaiseAlert =>
  ({ code, tenantId, subject, detail }) =>
    log.error(
      { alert: code, severity: severityOf(code), tenant_id: tenantId, subject, detail, runbook: runbookOf(code) },
      alertText,
    )

const alertText = 'alert raised: `runbook` says what to do'

/** The section of the handbook about an alert. */
export const runbookOf = (code: Alert['code']): string => `docs/operations/alerts.md#${code.toLowerCase()}`

type ErrorJson = { type: string; message: string; code?: string; stack?: string; cause?: ErrorJson }

/** Only these members: errors of the database driver also carry rows and parameters. */
function errorToJson(error: unknown, isInExpected = false): ErrorJson {
  if (!(error instanceof Error)) return { type: typeof error, message: 'a value that is not an Error was thrown' }
  const { name, message, stack, cause } = error
  const code: unknown = Reflect.get(error, 'code')
  // An expected error: its stack adds nothing.
  const isExpected = isInExpected || error instanceof Unavailable
  return {
    type: name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(!isExpected && stack !== undefined && { stack }),
    ...(cause instanceof Error && { cause: errorToJson(cause, isExpected) }),
  }
}
