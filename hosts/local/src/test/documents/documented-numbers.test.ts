import { ApiSettings } from '@quipu/api'
import * as core from '@quipu/core'
import { attemptTimeoutSeconds, heldLockSeconds, retryDelayMs } from '@quipu/core/adapter'
import * as operator from '@quipu/core/operator'
import { unusedDays } from '@quipu/postgres'
import { clockDifferenceMaxMs, MigrationSettings } from '@quipu/runtime'
import { bodyBytesMax, metadataMax } from '@quipu/wire'
import { WorkerSettings } from '@quipu/worker'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { LocalSettings } from '../../start/settings.ts'
import { readDocument } from './documents.fixture.ts'

/** The value of a setting whose variable is not set. */
const defaultOf = (schema: z.ZodType): number => Number(schema.parse(undefined))

const withSeparators = (value: number | bigint): string => value.toLocaleString('en')
const usdt = ({ minor }: core.Usdt): string => withSeparators(minor / 1_000_000n)
/** As the code writes it. */
const literal = (value: number): string => withSeparators(value).replaceAll(',', '_')
const words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const spanish = (value: number): string => value.toLocaleString('es', { useGrouping: 'always' })
const word = (value: number): string => words[value] ?? String(value)
const ordinal = (value: number): string => ({ 5: 'fifth', 8: 'eighth' })[value] ?? `${value}th`

const days = (seconds: number): string => withSeparators(seconds / 86_400)
const seconds = (ms: number): string => withSeparators(ms / 1000)

const { attempts } = core.defaultRetryPolicy
const delays = Array.from({ length: attempts - 1 }, (_, n) => seconds(retryDelayMs(core.defaultRetryPolicy, n + 1, 0)))
const lastDelay = delays.at(-1) ?? ''
const { pauseAfter, redeliverSeconds } = core.defaultEndpointPolicy
const { unverifiedLimits, minimum, autoLimit } = core.defaultDepositRules
const { answerWithinMs, leaseSeconds, renewEveryMs } = core.defaultPayoutSettings
const sessionHours = `at most ${operator.consoleSessionLife.maxMinutes / 60} hours`
const { texts, bytes } = metadataMax
const { shape: worker } = WorkerSettings
const { shape: migration } = MigrationSettings
const quoteLife = defaultOf(ApiSettings.shape.QUOTE_LIFE_SECONDS)
const perTenant = defaultOf(worker.WEBHOOK_PER_TENANT)
const perEndpoint = defaultOf(worker.WEBHOOK_PER_ENDPOINT)
const catchUp = defaultOf(worker.WEBHOOK_CATCH_UP_PER_SECOND)
const networkCatchUp = defaultOf(worker.NETWORK_CATCH_UP_PER_SECOND)
const unverified = [usdt(unverifiedLimits.perTenant), usdt(unverifiedLimits.inAll)] as const

/** The phrases in which documents repeat a default of the code, composed from that default. */
const phrases: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    `firm for ${quoteLife} seconds`,
    `| \`QUIPU_PORT_BASE\` | ${defaultOf(LocalSettings.shape.QUIPU_PORT_BASE)} |`,
    `| \`QUIPU_BLOCK_MS\` | ${defaultOf(LocalSettings.shape.QUIPU_BLOCK_MS)}, as on Tron |`,
  ],
  'docs/tutorial.md': [`firm for ${quoteLife} seconds`],
  'docs/es/README.md': [`firm for ${quoteLife} seconds`],
  'docs/es/tutorial.md': [`firme durante ${quoteLife} segundos`],
  'docs/es/webhooks.md': [
    `Tiene ${attemptTimeoutSeconds} segundos en total`,
    `${delays.slice(0, -1).join(', ')} y ${spanish(Number(lastDelay.replace(',', '')))} s`,
    `en los últimos ${days(redeliverSeconds)} días (\`redelivered\`), a lo sumo ${catchUp} por segundo`,
  ],
  'docs/es/keys.md': [
    `lee durante ${core.keyCacheSeconds} s a lo sumo`,
    `(${operator.requestLogDays} días de rutas`,
    `otra cosa, ${days(operator.overlapSeconds.max)} días a lo sumo)`,
  ],
  'docs/es/other-languages.md': [`pago en ${seconds(answerWithinMs)} s`, `más de ${core.defaultToleranceSeconds} s`],
  'docs/es/reconciliation.md': [`hasta ${operator.finalAfterSeconds / 60} minutos después de su fin`],
  'docs/guides/reconciliation.md': [`until ${operator.finalAfterSeconds / 60} minutes after its end`],
  'docs/es/idempotency-and-retries.md': [`hasta ${texts} textos suyos (${spanish(bytes)} bytes de JSON)`],
  'docs/guides/idempotency-and-retries.md': [`up to ${texts} texts of yours with a payout (${withSeparators(bytes)} b`],
  'docs/operations/restore.md': [`Wait until ${word(core.quoteLifeSeconds.max / 60)} minutes`],
  'hosts/example/README.md': [`expires after ${core.quoteLifeSeconds.min} seconds`],
  'packages/client/src/webhook/replay-store.ts': [`the last ${days(redeliverSeconds)} days`],
  'docs/guides/webhooks.md': [
    `You have ${attemptTimeoutSeconds} seconds in all`,
    `${word(attempts)} in all: at once, then ${delays.slice(0, -1).join(', ')} and ${lastDelay} s`,
    `| After the ${ordinal(attempts)} |`,
    `After ${word(pauseAfter)} exhausted events in a row`,
    `exhausted in the last ${days(redeliverSeconds)} days (\`redelivered\`), at most ${catchUp} a second`,
    `more than ${core.defaultToleranceSeconds} seconds off`,
  ],
  'docs/guides/other-languages.md': [
    `answers a payment within ${seconds(answerWithinMs)} s`,
    `more than ${core.defaultToleranceSeconds} s away`,
  ],
  'packages/client/src/webhook/receive.ts': [`the service waits ${attemptTimeoutSeconds} seconds`],
  'packages/client/src/cli/listen/listen.ts': [
    `init, ${attemptTimeoutSeconds}_000,`,
    `waits ${attemptTimeoutSeconds} s as well`,
  ],
  'packages/webhook-http/README.md': [`${attemptTimeoutSeconds} seconds from lookup`],
  'packages/client/src/quipu.ts': [`a payout is answered within ${seconds(answerWithinMs)} s`],
  'docs/states.md': [
    `does not read the QR within ${seconds(answerWithinMs)} s`,
    `a lease of ${leaseSeconds} s, renewed every ${seconds(renewEveryMs)} s`,
    `${networkCatchUp} a second in all workers`,
    `below ${usdt(minimum)} USDT`,
    `above ${usdt(autoLimit)} USDT`,
    `above ${unverified[0]} USDT for the tenant, or ${unverified[1]} USDT in total`,
    `A 2xx within ${attemptTimeoutSeconds} s`,
    `due again ${delays.join(', ')} s after the failure`,
    `The ${ordinal(attempts)} attempt fails`,
    `at ${word(pauseAfter)} the endpoint is paused`,
    `exhausted within ${days(redeliverSeconds)} days`,
    `at most ${perEndpoint} deliveries of an endpoint, and ${perTenant} of a tenant`,
    `at most ${catchUp} deliveries a second`,
  ],
  'packages/openhub/src/openhub-calls.ts': [
    `'${worker.OPENHUB_QR_PATH.parse(undefined)}'`,
    `'${worker.OPENHUB_ACCOUNTS_PATH.parse(undefined)}'`,
    `scanTimeoutMs ?? ${literal(defaultOf(worker.OPENHUB_SCAN_TIMEOUT_MS))},`,
    `confirmTimeoutMs ?? ${literal(defaultOf(worker.OPENHUB_CONFIRM_TIMEOUT_MS))} `,
  ],
  'packages/openhub/src/openhub.ts': [`descriptionMax = ${defaultOf(worker.OPENHUB_GLOSA_MAX)} `],
  'packages/tron/src/node/tron-node.ts': [
    `timeoutMs: ${defaultOf(worker.TRON_TIMEOUT_SECONDS)}_000, answerBytesMax: ${defaultOf(worker.TRON_ANSWER_MIB)} *`,
    `requestsPerSecond ?? ${defaultOf(worker.TRON_REQUESTS_PER_SECOND)},`,
  ],
  'packages/postgres/src/migration/bounded-transaction.ts': [
    `attempts = ${defaultOf(migration.MIGRATION_ATTEMPTS)},`,
    `lockTimeoutMs = ${literal(defaultOf(migration.MIGRATION_LOCK_TIMEOUT_MS))},`,
    `transactionTimeoutMs = ${literal(defaultOf(migration.MIGRATION_TRANSACTION_TIMEOUT_MS))} }`,
  ],
  'docs/guides/keys.md': [
    `reads for ${core.keyCacheSeconds} s at most`,
    `at most ${days(operator.overlapSeconds.max)} days)`,
    `(${operator.requestLogDays} days of paths`,
  ],
  'docs/operations/data.md': [
    `of tenants’ requests | ${operator.requestLogDays} days |`,
    `unused ones ${unusedDays} days`,
    `description | ${unusedDays} days |`,
  ],
  'packages/console/src/browser/page/key/keys.tsx': [
    `${operator.noticeDaysBeforeExpiry} * 86_400_000`,
    `'${operator.overlapSeconds.default}'`,
  ],
  'packages/console/src/browser/page/access/tokens.tsx': [`${operator.tokenEndsSoonDays} * 86_400_000`],
  'docs/operations/tenants.md': [
    `${word(operator.noticeDaysBeforeExpiry)} days before the expiry`,
    `takes at most ${attemptTimeoutSeconds} s.`,
    `| Answer within ${attemptTimeoutSeconds} s |`,
  ],
  'docs/operations/alerts.yaml': [
    `reconciliation_completed_seconds) > ${operator.defaultFaultLimits.reconciledSeconds} `,
    `clock_apart_seconds) >= ${clockDifferenceMaxMs / 1000} `,
  ],
  'docs/operations/alerts.md': [
    `| ${operator.defaultFaultLimits.reconciledSeconds / 3_600} hours and 5 s`,
    `differs from the database's by ${seconds(clockDifferenceMaxMs)} s or more`,
    `| ${heldLockSeconds} s and 11 s`,
    `the first ${attemptTimeoutSeconds} s and`,
    `${operator.tokenEndsSoonDays} days before its end`,
  ],
  'docs/operations/keys.md': [
    `(a day, ${operator.overlapSeconds.default}, unless you say so, at most ${days(operator.overlapSeconds.max)} days)`,
    `after ${word(operator.codeAttemptsMax)} wrong ones the person waits ${operator.codeLockMinutes} minutes`,
    `and reads for at most ${core.keyCacheSeconds} s more`,
  ],
  'docs/security.md': [
    `Bodies are at most ${bodyBytesMax / 1024} KiB`,
    `for ${sessionHours}, and ${operator.consoleSessionLife.idleMinutes} minutes without use`,
    `reads for at most ${core.keyCacheSeconds} s more`,
    `a quote lives ${core.quoteLifeSeconds.min} to ${core.quoteLifeSeconds.max} s`,
    `by their first ${defaultOf(ApiSettings.shape.RATE_LIMIT_IPV6_PREFIX)} bits`,
  ],
}

const asked = Object.entries(phrases).flatMap(([file, all]) => all.map((phrase) => [file, phrase]))

test.each(asked)('%s repeats a default of the code: %s', (file = '', phrase = '') => {
  expect(readDocument(file).text.replace(/\s+/g, ' ')).toContain(phrase)
})
