import { ApiSettings, startApi } from '@quipu/api'
import { jsonLog, readSettings } from '@quipu/runtime'
import { startWorker, WorkerSettings } from '@quipu/worker'
import { type Program, run } from './process.fixture.ts'

type Env = Readonly<Record<string, string>>

/** Base URLs of an API. */
export type ApiUrls = { readonly url: string; readonly operatorUrl: string }

/** URL of a worker's probes and metrics. */
export type WorkerUrl = { readonly workerUrl: string }

/**
 * APIs, each with a tenant that calls it, and workers. `start…` runs a child process, which a test can
 * kill; `open…` runs in the test's process, which is one second faster.
 */
export type Programs<Tenant> = {
  /** @param more  additional settings */
  startApi(more?: Env): Promise<Program & ApiUrls & Tenant>
  openApi(): Promise<ApiUrls & Tenant>
  startWorker(more?: Env): Promise<Program & WorkerUrl>
  openWorker(): Promise<void>
}

/** Leases are short, so that those of a killed process end soon. */
export const programDefaults: Env = {
  REQUEST_LEASE_SECONDS: '3',
  PAYOUT_LEASE_SECONDS: '3',
  DRAIN_SECONDS: '0',
  WORKER_IDLE_MS: '50',
  PORT: '0',
  OPERATOR_PORT: '0',
  WORKER_PORT: '0',
  RATE_LIMIT_READS: 'off',
  RATE_LIMIT_WRITES: 'off',
  RATE_SOURCE: 'fixed',
  RATE_BID: '9.9500',
  QUOTE_LIFE_SECONDS: '300', // Longer than any outage between a quote and its payout.
}

const apiUrls = /"url":"([^"]+)","operator_url":"([^"]+)"/

/** The URLs that an API has printed; undefined until it has started. */
export function apiUrlsOf(output: string): ApiUrls | undefined {
  const [, url, operatorUrl] = apiUrls.exec(output) ?? []
  return url === undefined || operatorUrl === undefined ? undefined : { url, operatorUrl }
}

/**
 * @param resources  stops all programs when disposed
 * @param tenantOf  creates the tenant at the first API, and returns the same tenant for later ones
 */
export function programsOf<Tenant>(
  resources: AsyncDisposableStack,
  own: Env,
  tenantOf: (api: ApiUrls) => Promise<Tenant>,
): Programs<Tenant> {
  const env = { ...programDefaults, ...own }
  const started = (file: string, more: Env = {}): Program =>
    resources.adopt(run(file, { ...env, ...more }), (program) => program.kill())
  return {
    async startApi(more) {
      const program = started('api/src/main.ts', more)
      await program.untilOutput(apiUrls)
      const api = apiUrlsOf(program.output()) ?? { url: '', operatorUrl: '' }
      return { ...program, ...api, ...(await tenantOf(api)) }
    },
    async openApi() {
      const api = await startApi(readSettings(ApiSettings, env), jsonLog('silent'))
      resources.adopt(api, (it) => it.stop())
      return { ...api, ...(await tenantOf(api)) }
    },
    async startWorker(more) {
      const program = started('worker/src/main.ts', more)
      const [, workerUrl = ''] = await program.untilOutput(/"url":"([^"]+)".*worker started/)
      return { ...program, workerUrl }
    },
    async openWorker() {
      const worker = await startWorker(readSettings(WorkerSettings, env), jsonLog('silent'))
      resources.adopt(worker, (it) => it.stop())
    },
  }
}
