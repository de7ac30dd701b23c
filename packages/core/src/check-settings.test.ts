import { expect, test } from 'vitest'
import * as adapter from './adapter.ts'
import * as core from './index.ts'
import * as operator from './operator.ts'

const exported = { ...core, ...operator, ...adapter }
type Exported = typeof exported

type AnyFunction = (...args: never[]) => unknown
type HasMethod<T> = true extends {
  [K in keyof T]: T[K] extends AnyFunction ? true : false
}[keyof T]
  ? true
  : false
type IsPort<T> = T extends AnyFunction
  ? true
  : T extends string | number | bigint | boolean | Date | readonly unknown[]
    ? false
    : HasMethod<T>
type HasPort<T> = true extends { [K in keyof T]: IsPort<T[K]> }[keyof T] ? true : false
/** A use case: a function, or an object with methods. */
type IsUseCase<T> = T extends AnyFunction ? true : T extends PromiseLike<unknown> ? false : IsPort<T>

/** Exports whose first parameter has ports and that make a use case. Not for embedders: `startCall` belongs to a call of the network, `deadlineQueue` to an adapter, `ratesWithinExposure` to the exposure, `recordEvent` to a step. */
type Factory = Exclude<
  {
    [K in keyof Exported]: Exported[K] extends (ports: infer P, ...rest: never[]) => infer R
      ? [HasPort<P>, IsUseCase<R>] extends [true, true]
        ? K
        : never
      : never
  }[keyof Exported],
  'startCall' | 'deadlineQueue' | 'guardedNetwork' | 'ratesWithinExposure' | 'recordEvent'
>
type Rest<F> = F extends (ports: never, ...rest: infer R) => unknown ? Required<R> : never

const { defaultProposalSettings: proposals, defaultResumeSettings: resuming } = exported
const slices = { leaseSeconds: 60, retrySeconds: 60 }
const treasury = { account: 'a'.repeat(40), address: 'T' }
const { bob, defaultEndpointPolicy: endpoints, defaultScanSettings: scans } = exported

/** The arguments after the ports. The compiler refuses this record while a factory with settings is missing in it. */
const factories: { readonly [K in Factory as Rest<Exported[K]> extends [] ? never : K]: Rest<Exported[K]> } = {
  authenticate: ['test'],
  checkLiquidity: [bob(1n)],
  controlEndpoints: [endpoints],
  createPayout: [exported.defaultPayoutSettings],
  createQuote: [{ lifeSeconds: 60 }],
  deliver: [{ retryPolicy: exported.defaultRetryPolicy, pauseAfter: 16, headerPrefix: 'X-' }],
  ensureTopUpAddress: ['tron'],
  faultAlerts: [{}],
  findFaults: [exported.defaultFaultLimits],
  manageApiKeys: ['test', proposals],
  manageOperatorTokens: [proposals],
  manageProposals: [proposals],
  manageTenants: [{ ...proposals, unapprovedLimits: null }],
  manageWebhooks: [endpoints],
  operatePayouts: [resuming],
  planSweep: [{ treasury, expiresAfterSeconds: 60 }],
  screenSubjects: [exported.defaultScreenSettings],
  reconcile: ['tron'],
  reconcileChain: ['tron', slices],
  reconcileNetwork: [slices],
  requestFaucet: [exported.defaultFaucetSettings],
  requestReconciliation: [exported.defaultReconciliationTiming],
  resolveQr: [{ environment: 'sandbox', answerWithinMs: 10 }],
  resumePayout: [resuming],
  rotateTopUpAddress: ['tron'],
  stopPayouts: [proposals],
  scanHead: [scans],
  scanSolid: [scans],
  scheduleReconciliation: [exported.defaultReconciliationTiming],
  sendAlert: [{ repeatSeconds: 60 }],
  doDaily: [{ task: 'digest', dueSeconds: 0, missedDays: 0 }],
  sendDigest: [{ hour: 8, timezone: 'UTC' }],
  sendNotice: [{ leaseSeconds: 60 }],
  settleDeposit: [{ rules: exported.defaultDepositRules, serviceAccounts: [] }],
  testWebhook: ['X-'],
}

type Create = (...args: readonly unknown[]) => unknown
type Parts = Record<string, unknown>

const messageOf = (create: () => unknown): string => {
  try {
    create()
    return ''
  } catch (error) {
    return error instanceof TypeError ? error.message : String(error)
  }
}

/** The ports of which a use case reads something when it is created. */
const ports = { reader: { chain: 'tron' } }

const all = Object.entries<readonly unknown[]>(factories).map(([name, rest]) => {
  const factory = exported[name as Factory] as unknown as Create
  return { name, rest, create: factory }
})

/** Arguments that have a default. */
const optional = [
  'faultAlerts 0', // no fault has to last
  'findFaults 0',
  'manageApiKeys 1',
  'manageTenants 0',
  'stopPayouts 0',
]

const settingsOf = all.flatMap(({ name, rest, create }) => rest.map((_, index) => ({ name, index, rest, create })))

test.each(settingsOf)('$name names each missing setting of argument $index', (given) => {
  const { name, index, rest, create } = given
  const argument = rest[index]
  const pass = (value: unknown): string => messageOf(() => create(ports, ...rest.with(index, value)))
  expect(pass(argument)).toBe('')
  expect(pass(undefined)).toMatch(
    optional.includes(`${name} ${index}`)
      ? /^$/
      : new RegExp(`^${name}: (setting "\\w+"|the record of settings) is missing; pass an? `),
  )
  if (typeof argument !== 'object' || argument === null || 'minor' in argument) return
  for (const key of Object.keys(argument)) {
    const { [key]: _, ...others } = argument as Parts
    const message = pass(others)
    if (shared.includes(`${name} ${key}`)) expect(message).toBe('')
    else expect(message).toMatch(new RegExp(`^${name}: setting "${key}" is missing; pass an? `))
  }
})

/** Members of a record that several use cases share, which this one does not read. */
const shared = [
  'manageApiKeys approvalLimit',
  'manageOperatorTokens approvalLimit',
  'manageTenants approvalLimit',
  'stopPayouts approvalLimit',
]

const numbers = settingsOf.flatMap((given) => {
  const entries = Object.entries((given.rest[given.index] ?? {}) as Parts)
  return entries.flatMap(([key, value]) =>
    typeof value === 'number' && !shared.includes(`${given.name} ${key}`) ? [{ ...given, key }] : [],
  )
})

test.each(numbers)('$name refuses a $key that is no number, or negative', ({ name, index, rest, create, key }) => {
  for (const wrong of [Number.NaN, -1, Infinity]) {
    const settings = { ...(rest[index] as Parts), [key]: wrong }
    expect(messageOf(() => create(ports, ...rest.with(index, settings)))).toMatch(
      new RegExp(`^${name}: setting "${key}" is the number ${wrong}; pass a number`),
    )
  }
})

test.each<[string, Parts, string]>([
  ['createQuote', { lifeSeconds: 14 }, 'the number 14; pass a number from 15 to 300'],
  ['createQuote', { lifeSeconds: 301 }, 'the number 301; pass a number from 15 to 300'],
  ['createPayout', { answerWithinMs: 0 }, 'the number 0; pass a number above 0'],
  ['createPayout', { leaseSeconds: 0 }, 'the number 0; pass a number above 0'],
  ['createPayout', { environment: 'prod' }, 'the string "prod"; pass a string, one of sandbox, production'],
  ['resolveQr', { environment: 'Production' }, 'the string "Production"; pass a string, one of sandbox, production'],
])('%s refuses the setting %j', (name, wrong, message) => {
  const factory = all.find((each) => each.name === name)
  if (!factory) throw new Error(name)
  const { rest, create } = factory
  const settings = { ...(rest[0] as Parts), ...wrong }
  const [key] = Object.keys(wrong)
  expect(messageOf(() => create(ports, settings))).toBe(`${name}: setting "${key}" is ${message}`)
})
