import { type AnyFunction, mark, recording } from './recorder.fixture.ts'

/** Alerts that reach the log, followed to where they are raised. */
const loggedAlerts =
  (original: AnyFunction): AnyFunction =>
  (log: never) => {
    const raiseAlert = original(log) as object
    mark(raiseAlert, 'logged.raiseAlert')
    return raiseAlert
  }

/** A loop that polls once. */
const polledOnce = (poll: () => Promise<unknown>) => {
  const polled = poll().catch(() => undefined)
  return { activity: () => ({ polledAt: 0 }), stop: async () => void (await polled) }
}

const idle = () => ({ activity: () => ({ polledAt: 0 }), stop: async () => undefined })

/** Stores whose methods are recorded and find nothing. */
function recordedStores(value: unknown, at: string): unknown {
  if (typeof value === 'function') {
    const found = recording(at, value as AnyFunction, async () => [])
    mark(found, at)
    return found
  }
  if (typeof value !== 'object' || value === null) return value
  const group = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, recordedStores(each, `${at}.${name}`)]),
  )
  mark(group, at)
  return group
}

/** An app that answers nothing; its documents are written. */
function appOf(_: unknown, settings: { openApi(): string; reference(): string }) {
  settings.openApi()
  settings.reference()
  return () => undefined
}

/** A copy of `runHost` whose imports are recorded too. */
const runHost = async (program: never): Promise<void> => {
  const file = '../../../../../packages/runtime/src/host/run-host.ts?again'
  await ((await import(file)) as { runHost(program: never): Promise<void> }).runHost(program)
}

const unreachable = async (): Promise<never> => Promise.reject(new Error('not connected'))

const ignored = (): void => undefined
const logOverride = recording('logOverride', ignored)
const log = {
  info: ignored,
  error: ignored,
  debug: ignored,
  fatal: ignored,
  isLevelEnabled: () => false,
  warn: (fields: object): void => void ('override' in fields && logOverride(fields)),
}

/** The database's clock, whose time is followed to where it is used. */
function followed(clock: object): object {
  for (const [name, member] of Object.entries(clock)) mark(member as object, `databaseClock.${name}`)
  return clock
}

/** Functions in place of functions that would listen, connect or wait. @param original  what it stands for */
export const fakes: Readonly<Record<string, (original: AnyFunction) => AnyFunction>> = {
  logAlert: loggedAlerts,
  alertRelay: (original) => (ports: never, isOn: never) => {
    const relay = original(ports, isOn) as { raiseAlert: object; loops: AnyFunction }
    mark(relay.raiseAlert, 'logged.raiseAlert')
    return { ...relay, loops: recording('alertRelay.loops', relay.loops) }
  },
  databaseClock: (original) => (system, monotonic) => followed(original(system, monotonic) as object),
  postgresStores: (original) => (options: never) => recordedStores(original(options), 'stores'),
  runHost: () => runHost,
  systemPorts: (original) => (options: never) =>
    Object.assign(original(options) as object, { settled: recording('settled', async () => true) }),
  systemRandom: () => (count: number) => new Uint8Array(count),
  stopSignal: () => async () => 'SIGTERM',
  jsonLog: () => () => log,
  refuseUnfitDatabase: () => async () => ({ refusedLater: new Promise(() => undefined) }),
  exportTraces: () => async () => ({ stop: async () => undefined, lost: () => ({}) }),
  startLocal: () => async () => ({ stop: async () => undefined }),
  welcome: () => () => '',
  pollingLoop: () => polledOnce,
  heartbeats: () => idle,
  databaseWatch: () => () => {
    const compared = Promise.resolve()
    mark(compared, 'clocks')
    return { ...idle(), compared }
  },
  listen: () => async () => ({ url: 'http://127.0.0.1:1', stop: recording('listener.stop', async () => true) }),
  drain: () => () => ({ isServing: () => true, begin: async () => undefined }),
  withTimeout: () => async (_timer: unknown, _ms: number, promise: unknown) => promise,
  ensurePartitions: () => async () => undefined,
  checkpointBalances: () => async () => undefined,
  forgetOld: () => async () => ({}),
  checkedNode: () => (node: object) => ({ ...node, request: unreachable, requestOnce: unreachable }),
  tronChainReader: (original) => (options) => Object.assign(original(options) as object, { head: unreachable }),
  httpQrNetwork: (original) => (options) => Object.assign(original(options) as object, { liquidity: unreachable }),
  openHub: (original) => (options) => Object.assign(original(options) as object, { liquidity: unreachable }),
  httpJsonRate: (original) => (options, now) =>
    Object.assign(original(options, now) as object, { current: unreachable }),
  processTerminal: () => () => ({ out: ignored, error: ignored, columns: undefined, showsProgress: false }),
  publicApp: () => appOf,
  operatorApp: () => appOf,
  publicOpenApi: () => () => ({}),
  operatorOpenApi: () => () => ({}),
  referencePage: () => () => '',
  migrate: () => async () => [],
}
