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

/** Exports whose first parameter has ports and that make a use case. Not for embedders: `startCall` belongs to a call of the network, `deadlineQueue` to an adapter. */
type Factory = Exclude<
  {
    [K in keyof Exported]: Exported[K] extends (ports: infer P, ...rest: never[]) => infer R
      ? [HasPort<P>, IsUseCase<R>] extends [true, true]
        ? K
        : never
      : never
  }[keyof Exported],
  'startCall' | 'deadlineQueue' | 'guardedNetwork'
>
type Rest<F> = F extends (ports: never, ...rest: infer R) => unknown ? Required<R> : never

const { defaultProposalSettings: proposals, defaultResumeSettings: resuming } = exported
const slices = { leaseSeconds: 60, retrySeconds: 60 }
const treasury = { account: 'a'.repeat(40), address: 'T' }
const { bob, defaultEndpointPolicy: endpoints, defaultScanSettings: scans } = exported

/** The arguments after the ports. The compiler refuses this record while a factory is missing in it. */
const factories: { readonly [K in Factory]: Rest<Exported[K]> } = {
  authenticate: ['test'],
  checkLiquidity: [bob(1n)],
  closeDifference: [],
  compareNewestPayments: [],
  confirmNetwork: [],
  controlEndpoints: [endpoints],
  createPayout: [exported.defaultPayoutSettings],
  createQuote: [{ lifeSeconds: 60 }],
  deliver: [{ retryPolicy: exported.defaultRetryPolicy, pauseAfter: 16, headerPrefix: 'X-' }],
  ensureTopUpAddress: ['tron'],
  faultAlerts: [{}],
  findFaults: [exported.defaultFaultLimits],
  hintPayout: [],
  importSweep: [],
  listAllDeliveries: [],
  manageApiKeys: ['test', proposals],
  manageOperatorTokens: [proposals],
  manageProposals: [proposals],
  manageQuoting: [],
  manageTenants: [{ ...proposals, unapprovedLimits: null }],
  manageWebhooks: [endpoints],
  operatePayouts: [resuming],
  networkGuard: [],
  planSweep: [{ treasury, expiresAfterSeconds: 60 }],
  readPayoutHistory: [],
  readStatements: [],
  reconcile: ['tron'],
  reconcileChain: ['tron', slices],
  reconcileNetwork: [slices],
  renewAddressMacs: [],
  renewSecrets: [],
  requestFaucet: [exported.defaultFaucetSettings],
  requestReconciliation: [exported.defaultReconciliationTiming],
  resolveQr: [{ environment: 'sandbox', answerWithinMs: 10 }],
  resumePayout: [resuming],
  reviewDeposits: [],
  rotateTopUpAddress: ['tron'],
  scanHead: [scans],
  scanSolid: [scans],
  scheduleReconciliation: [exported.defaultReconciliationTiming],
  sendNotice: [{ leaseSeconds: 60 }],
  settleDeposit: [{ rules: exported.defaultDepositRules, serviceAccounts: [] }],
  settleFaucetSend: [],
  settleSweep: [],
  signSweep: [],
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

const missing = /^(\w+): port "([\w.]+)" is missing; pass (.+)$/
const values: Readonly<Record<string, unknown>> = {
  'a function': () => undefined,
  'a string': '',
  'a number, at least 0': 0,
  'a number above 0': 1,
  'a bigint': 0n,
  'an array': [],
}

/** Follows the messages from no port to all of them. @returns the ports, and the path of each in order */
function followMessages(name: string, create: (ports: Parts) => unknown) {
  const ports: Parts = {}
  const paths: (readonly string[])[] = []
  for (;;) {
    const message = messageOf(() => create(ports))
    if (message === '') return { ports, paths }
    const [, useCase, path = '', wanted = ''] = missing.exec(message) ?? []
    expect({ useCase, message }).toEqual({ useCase: name, message: expect.stringMatching(missing) })
    const keys = path.split('.')
    expect(paths).not.toContainEqual(keys)
    paths.push(keys)
    parentOf(ports, keys)[keys.at(-1) ?? ''] = wanted.startsWith('an object with ')
      ? {}
      : (values[wanted] ?? /one of (\w+)/.exec(wanted)?.[1])
  }
}

const parentOf = (ports: Parts, keys: readonly string[]): Parts =>
  keys.slice(0, -1).reduce((parent, key) => parent[key] as Parts, ports)

/** The factory without the value at the path. */
function withoutPart(parts: Parts, keys: readonly string[], create: () => unknown): string {
  const [parent, key] = [parentOf(parts, keys), keys.at(-1) ?? '']
  const part = parent[key]
  delete parent[key]
  const message = messageOf(create)
  parent[key] = part
  return message
}

const all = Object.entries<readonly unknown[]>(factories).map(([name, rest]) => {
  const factory = exported[name as Factory] as unknown as Create
  return { name, rest, create: factory }
})

test.each(all)('$name names each missing port and the members to pass', (factory) => {
  const { name, rest, create } = factory
  const { ports, paths } = followMessages(name, (given) => create(given, ...rest))
  expect(paths.length).toBeGreaterThan(1)
  expect(Object.keys(ports).toSorted()).toEqual([...new Set(paths.map(([port]) => port))].toSorted())
  for (const keys of paths) {
    const message = withoutPart(ports, keys, () => create(ports, ...rest))
    expect(message).toContain(`${name}: port "${keys.join('.')}" is missing; pass a`)
    const parent = parentOf(ports, keys)
    const part = parent[keys.at(-1) ?? '']
    parent[keys.at(-1) ?? ''] = null
    const wrong = messageOf(() => create(ports, ...rest))
    expect(wrong).toContain(`${name}: port "${keys.join('.')}" is null; pass a`)
    parent[keys.at(-1) ?? ''] = part
  }
})

/** Of what may be left out a default is used, or none. */
const optional = [
  'faultAlerts 0', // no fault has to last
  'findFaults 0',
  'manageApiKeys 1',
  'manageTenants 0',
]

const settingsOf = all.flatMap(({ name, rest, create }) => rest.map((_, index) => ({ name, index, rest, create })))

test.each(settingsOf)('$name names each missing setting of argument $index', (given) => {
  const { name, index, rest, create } = given
  const { ports } = followMessages(name, (found) => create(found, ...rest))
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
const shared = ['manageApiKeys approvalLimit', 'manageOperatorTokens approvalLimit', 'manageTenants approvalLimit']

test.each(settingsOf)('$name refuses a number of argument $index that is none, or negative', (given) => {
  const { name, index, rest, create } = given
  const { ports } = followMessages(name, (found) => create(found, ...rest))
  const argument = rest[index]
  if (typeof argument !== 'object' || argument === null) return
  for (const [key, value] of Object.entries(argument)) {
    if (typeof value !== 'number') continue
    for (const wrong of [Number.NaN, -1, Infinity]) {
      const message = messageOf(() => create(ports, ...rest.with(index, { ...argument, [key]: wrong })))
      if (!shared.includes(`${name} ${key}`))
        expect(message).toMatch(new RegExp(`^${name}: setting "${key}" is the number ${wrong}; pass a number`))
    }
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
  const { ports } = followMessages(name, (found) => create(found, ...rest))
  const settings = { ...(rest[0] as Parts), ...wrong }
  const [key] = Object.keys(wrong)
  expect(messageOf(() => create(ports, settings))).toBe(`${name}: setting "${key}" is ${message}`)
})

test('a secret that is passed as a port is not in the message', () => {
  const ports = { addresses: 'do not print', source: {}, addressMacKeys: [] }
  const message = messageOf(() => exported.ensureTopUpAddress(ports as never, 'tron'))
  expect(message).toBe('ensureTopUpAddress: port "addresses" is a string; pass an object with list, ensure')
})
