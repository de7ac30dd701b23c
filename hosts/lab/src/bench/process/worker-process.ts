import 'reflect-metadata'
import { jsonLog, readSettings, stopSignal } from '@quipu/runtime'
import { startWorker, WorkerSettings } from '@quipu/worker'

// A worker as in production, except that its receivers are on this machine.

const stopping = stopSignal()
const [, , databaseUrl = '', secretKey = ''] = process.argv
const worker = await startWorker(
  readSettings(WorkerSettings, {
    DATABASE_URL: databaseUrl,
    WEBHOOK_SECRET_KEY: secretKey,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    QR_NETWORK_URL: 'http://127.0.0.1:9',
    QR_NETWORK_TOKEN: 'none',
    WORKER_IDLE_MS: '60000',
    WORKER_PORT: '0',
    LEDGER_CHECK_SECONDS: '3600', // Its CPU time would be measured with the deliveries.
    LOG_LEVEL: 'error',
  }),
  jsonLog('error', { write: () => undefined }),
)
process.send?.('ready')
await stopping
await worker.stop()
process.disconnect?.()
