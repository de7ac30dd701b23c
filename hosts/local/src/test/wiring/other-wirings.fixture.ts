import { ExampleSettings } from '@quipu/example'
import { MigrationSettings } from '@quipu/runtime'
import { LocalSettings } from '../../start/settings.ts'
import type { Wiring } from './wiring.fixture.ts'

export const exampleWiring: Wiring = {
  clocks: ['another clock'],
  program: ['hosts/example/src/run-example.ts'],
  schema: ExampleSettings,
  base: {},
  rows: {
    HOST: [
      '127.0.0.2',
      'publicApp.1.docsUrl=http://127.0.0.2:4002/docs; listen.2=http://127.0.0.2:4002/docs; listen.1.host',
    ],
    PORT: [
      '4102',
      'publicApp.1.docsUrl=http://127.0.0.1:4102/docs; listen.2=http://127.0.0.1:4102/docs; listen.1.port',
    ],
    LOG_LEVEL: ['debug', 'jsonLog.0'],
    TRUSTED_PROXIES: [
      '1',
      'sourceLimit.0=50; {publicApp,operatorApp}.1.trustedProxies; publicApp.1.docsUrl=-; listen.2=-; rateLimiter=+',
    ],
    EXAMPLE_KEYS: ['7', 'keyStatesWithin.0.keys'],
    RATE_LIMIT_SOURCE: ['9', 'sourceLimit.0; rateLimiter=+'],
    RATE_LIMIT_IPV6_PREFIX: ['63', 'sourceLimit.1'],
    DOCS_URL: ['https://docs.example', 'publicApp.1.docsUrl; listen.2'],
    WEBHOOK_ALLOW_PRIVATE: ['true', '{httpWebhookSender,webhookUrlGuard}.0.allowPrivate'],
    WEBHOOK_HEADER_PREFIX: [
      'X-Other-',
      'deliver.1.headerPrefix; testWebhook.1; publicOpenApi.0.webhookHeaderPrefix; referencePage.1.words.X-Service-',
    ],
    STOP_WITHIN_MS: ['9000', 'listener.stop.0; settled.0'],
  },
  ports: {
    measuredNetwork: 'networkGuard.0.network; guardedNetwork.0',
    networkGuard: 'guardedNetwork.1',
    guardedNetwork: '{hintPayout,resolveQr,createPayout,operatePayouts}.0.network',
    watchedRates: '{createQuote,manageQuoting,readExposure}.0.rates; guardedPayouts.1',
    guardedPayouts: 'createPayout.0.payouts',
    authenticateKey: 'publicApp.0.extension.authenticate',
    sourceLimit: 'publicApp.0.extension.before.1',
    enterKey: 'publicApp.0.extension.before.2',
    publicApp: 'listen.0',
  },
}

export const migrateWiring: Wiring = {
  clocks: [],
  program: ['hosts/admin/src/run-admin.ts', 'migrate'],
  schema: MigrationSettings,
  base: { DATABASE_URL: 'postgres://owner@127.0.0.1:1/quipu' },
  rows: {
    DATABASE_URL: ['postgres://owner@127.0.0.1:2/quipu', 'migrate.0.connectionString'],
    DATABASE_STANDBY: ['required', 'migrate.0.isStandbyRequired=true'],
    MIGRATION_LOCK_TIMEOUT_MS: ['2001', 'migrate.1.lockTimeoutMs'],
    MIGRATION_TRANSACTION_TIMEOUT_MS: ['5001', 'migrate.1.transactionTimeoutMs'],
    CELL: ['g', 'migrate.1.cell'],
    MIGRATION_ATTEMPTS: ['11', 'migrate.1.attempts'],
  },
}

export const startWiring: Wiring = {
  clocks: [],
  program: ['hosts/local/src/start/run-start.ts'],
  schema: LocalSettings,
  base: {},
  rows: {
    QUIPU_DATA_DIR: ['/tmp/other', '{startLocal,welcome}.0.dataDir'],
    QUIPU_PORT_BASE: [
      '4300',
      `startLocal.0.ports.api; startLocal.0.ports.operator=4301; startLocal.0.ports.example=4302;
       startLocal.0.ports.tron=4303; startLocal.0.ports.qrNetwork=4304; startLocal.0.ports.qrNetworkAdmin=4305;
       startLocal.0.ports.postgres=4306; startLocal.0.ports.tronAdmin=4307; startLocal.0.ports.sqs=4308;
       startLocal.0.ports.worker=4309`,
    ],
    QUIPU_BLOCK_MS: ['3001', 'startLocal.0.blockMs'],
    CELL: ['g', 'startLocal.0.cell'],
    LOG_LEVEL: ['debug', 'startLocal.0.logLevel'],
  },
}
