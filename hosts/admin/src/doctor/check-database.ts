import {
  checkCell,
  checkRole,
  migrationStates,
  postgresStores,
  readGate,
  UnfitRole,
  UnfitSession,
} from '@quipu/postgres'
import type { PaymentGate } from '@quipu/core/operator'
import { clockDifferenceMaxMs, databaseClock, isStandbyRequired } from '@quipu/runtime'
import { systemClock, systemMonotonic } from '@quipu/core/system'
import { keyFinding } from './check-keys.ts'
import { checkOperators } from './check-operators.ts'
import { backlogFindings, networkFindings, processFindings } from './check-work.ts'
import { fail, failing, type Finding, isUnavailable, ok, reasonOf, warn } from './finding.ts'
import { checkTenants } from './check-tenants.ts'
import type { ReadSettings } from './read-settings.ts'

const unreachable = 'Check DATABASE_URL, the network, and that it leads to the primary: docs/operations/database.md.'

/** The database: its role, its migrations, a durable write, the clocks, and the work that waits in it. */
export async function checkDatabase(settings: ReadSettings): Promise<readonly Finding[]> {
  const { DATABASE_URL: url, ENVIRONMENT, CELL: cell } = settings
  if (url === undefined) return [fail('database', 'DATABASE_URL is not usable', 'Set DATABASE_URL.')]
  const role = await checkRights(url, ENVIRONMENT === 'production')
  if (role.some(({ check }) => check === 'database')) return role
  const migrations = await failing('database.migrations', unreachable, () => checkMigrations(url))
  if (migrations.some(({ status }) => status === 'fail')) return [...role, ...migrations]
  const restored = await failing('database.restored', unreachable, () => checkRestored(url))
  const letter = await failing(
    'database.cell',
    'Set CELL to the letter of the database: docs/scaling.md.',
    async () => {
      await checkCell({ url, cell })
      return [ok('database.cell', cell === undefined ? 'no cell' : `cell ${cell}`)]
    },
  )
  return [...role, ...migrations, ...restored, ...letter, ...(await checkStores(url, settings))]
}

async function checkRestored(url: string): Promise<readonly Finding[]> {
  const gate = await readGate(url)
  return [...restoredFindings(gate), stopFinding(gate)]
}

const stopFinding = ({ stop }: PaymentGate): Finding =>
  stop === null
    ? ok('payouts.stopped', 'payouts are accepted')
    : warn(
        'payouts.stopped',
        `no payout is accepted since ${stop.at.toISOString()}: ${stop.by} has stopped them: ${stop.reason}`,
        'When the reason is mended, `quipu-admin payouts start`; another operator approves it.',
      )

function restoredFindings({ halt, unchecked }: PaymentGate): readonly Finding[] {
  const check = 'database.restored'
  if (halt !== null)
    return [
      fail(
        check,
        `payments are halted since ${halt.at.toISOString()}: ${halt.reason}: ${halt.detail}`,
        'Follow docs/operations/restore.md, then `quipu-admin restore confirm`.',
      ),
    ]
  if (unchecked === null) return [ok(check, 'not restored, or confirmed')]
  return [
    warn(
      check,
      'the server has started, and its newest payments are not compared: no payment begins',
      'Start a worker, which compares them; if the network has no statement, `quipu-admin restore confirm`.',
    ),
  ]
}

async function checkRights(url: string, isProduction: boolean): Promise<readonly Finding[]> {
  const check = 'database.role'
  try {
    await checkRole({ url, isProduction: false })
  } catch (error) {
    if (isUnavailable(error)) return [fail('database', reasonOf(error), unreachable)]
    if (error instanceof UnfitSession)
      return [fail('database', reasonOf(error), 'Mend the pooler or the role: docs/operations/database.md.')]
    return [fail(check, reasonOf(error), 'Grant the role quipu_process: docs/operations/database.md, “Roles”.')]
  }
  try {
    await checkRole({ url, isProduction: true })
    return [ok(check, 'member of quipu_process, without further rights')]
  } catch (error) {
    if (!(error instanceof UnfitRole)) throw error
    const mend = 'Connect as a login role that is only a member of quipu_process: docs/operations/database.md, “Roles”.'
    return [(isProduction ? fail : warn)(check, reasonOf(error), mend)]
  }
}

async function checkMigrations(url: string): Promise<readonly Finding[]> {
  const check = 'database.migrations'
  const states = await migrationStates(url)
  const named = (wanted: string): string =>
    states
      .filter(({ state }) => state === wanted)
      .map(({ name }) => name)
      .join(', ')
  const [missing, changed, later] = [named('missing'), named('changed'), named('later')]
  if (missing !== '')
    return [fail(check, `missing: ${missing}`, 'Run `quipu-admin migrate` as the role that owns the database.')]
  if (changed !== '')
    return [fail(check, `changed since they were run: ${changed}`, 'Restore the files of the release that ran them.')]
  if (later !== '') return [warn(check, `of a later release: ${later}`, 'Replace the programs by that release.')]
  return [ok(check, `${states.length} of ${states.length} have run`)]
}

async function checkStores(
  url: string,
  { WEBHOOK_SECRET_KEY, ADDRESS_MAC_KEY, ...settings }: ReadSettings,
): Promise<readonly Finding[]> {
  const stores = postgresStores({ url, isStandbyRequired: isStandbyRequired(settings) })
  try {
    const written = await failing('database.write', durable, async () => {
      const time = await stores.ping()
      const ms = Math.round(time.answeredAt - time.sentAt)
      return [ok('database.write', `a durable write took ${ms} ms`), clockFinding(time)]
    })
    const limits = await failing('tenants.pricing', unreachable, () => checkTenants(stores.tenants, settings))
    const work = await failing('work', unreachable, async () => [
      ...processFindings(await stores.processes.list(), settings),
      ...backlogFindings(await stores.backlog.read(), settings),
      ...networkFindings(await stores.networks.read()),
    ])
    const kept = await failing('database.keys', unreachable, async () => [
      keyFinding(['WEBHOOK_SECRET_KEY', 'signing secrets'], WEBHOOK_SECRET_KEY, await stores.webhooks.keyUse()),
      keyFinding(['ADDRESS_MAC_KEY', 'top-up addresses'], ADDRESS_MAC_KEY, await stores.addresses.keyUse()),
      ...(await checkOperators(stores.operatorTokens, systemClock())),
    ])
    return [...written, ...limits, ...work, ...kept]
  } finally {
    await stores.close()
  }
}

const durable =
  'Check the disk and the synchronous standby, which synchronous_standby_names must name; DATABASE_URL must lead to the primary: docs/operations/database.md.'

/** From a second on a person should look; from two on processes use the database's time. */
function clockFinding(time: Parameters<ReturnType<typeof databaseClock>['compare']>[0]): Finding {
  const clock = databaseClock(systemClock, systemMonotonic)
  clock.compare(time)
  const ms = Math.round(clock.aheadMs())
  const detail = `this machine's clock is ${Math.abs(ms)} ms ${ms < 0 ? 'behind' : 'ahead of'} the database's`
  const mend = 'Repair the time synchronisation of this machine or of the database’s (alert CLOCK_APART).'
  const check = 'clock'
  if (Math.abs(ms) >= clockDifferenceMaxMs) return fail(check, detail, mend)
  return Math.abs(ms) >= 500 ? warn(check, detail, mend) : ok(check, detail)
}
