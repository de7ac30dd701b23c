import { ApiSettings, startApi } from '@quipu/api'
import { sha256 } from '@quipu/core'
import { jsonLog, readSettings } from '@quipu/runtime'
import { startWorker, WorkerSettings } from '@quipu/worker'
import { type Program, run } from './process.fixture.ts'
import { operatorToken } from './tenant.fixture.ts'

type Env = Readonly<Record<string, string>>

/** Where an API is called. */
export type ApiUrls = { readonly url: string; readonly operatorUrl: string }

/**
 * The API, with a tenant that asks it, and the workers of a test. They start as processes, for whoever
 * kills them, and open in the test's own process, which costs a second less each.
 */
export type Programs<Tenant> = {
  /** @param more  what this one is told besides */
  startApi(more?: Env): Promise<Program & ApiUrls & Tenant>
  openApi(): Promise<ApiUrls & Tenant>
  startWorker(more?: Env): Promise<Program>
  openWorker(): void
}

/** What all of them are told. Leases are short, so that a dead one's is soon over. */
const usual: Env = {
  LEASE_SECONDS: '3',
  WORKER_IDLE_MS: '50',
  PORT: '0',
  OPERATOR_PORT: '0',
  OPERATOR_TOKENS: `test:admin:${sha256(operatorToken)}`,
  RATE_LIMIT_READS: 'off',
  RATE_LIMIT_WRITES: 'off',
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
}

/**
 * @param things  with which all of them end
 * @param tenantOf  the same tenant at every API, new at the first
 */
export function programsOf<Tenant>(
  things: AsyncDisposableStack,
  own: Env,
  tenantOf: (api: ApiUrls) => Promise<Tenant>,
): Programs<Tenant> {
  const env = { ...usual, ...own }
  const started = (file: string, more: Env = {}): Program =>
    things.adopt(run(file, { ...env, ...more }), (program) => program.kill())
  return {
    async startApi(more) {
      const program = started('api/src/main.ts', more)
      const urls = /"url":"([^"]+)","operator_url":"([^"]+)"/
      const [, url = '', operatorUrl = ''] = await program.says(urls)
      const api = { url, operatorUrl }
      return { ...program, ...api, ...(await tenantOf(api)) }
    },
    async openApi() {
      const api = await startApi(readSettings(ApiSettings, env), jsonLog('silent'))
      things.adopt(api, (it) => it.stop())
      return { ...api, ...(await tenantOf(api)) }
    },
    async startWorker(more) {
      const program = started('worker/src/main.ts', more)
      await program.says(/worker started/)
      return program
    },
    openWorker() {
      const worker = startWorker(readSettings(WorkerSettings, env), jsonLog('silent'))
      things.adopt(worker, (it) => it.stop())
    },
  }
}
