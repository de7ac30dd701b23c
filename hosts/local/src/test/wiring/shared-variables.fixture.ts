import type { Row, Wiring } from './wiring.fixture.ts'

/** The settings of OpenHub in place of those of the HTTP network. */
const openHub = {
  QR_NETWORK: 'openhub',
  QR_NETWORK_CALLBACK_SECRET: null,
  OPENHUB_URL: 'https://hub.example',
  OPENHUB_CLIENT_ID: 'the-client',
  OPENHUB_CLIENT_SECRET: 'the client’s secret',
  OPENHUB_NIT: '1029384756',
  OPENHUB_SOURCE_ACCOUNT: '7010999001',
}

/** The rows of OpenHub's settings: each value, its place in the options of the adapter, and what it is there. */
export const openHubRows = (): Readonly<Record<string, Row>> =>
  Object.fromEntries(
    [
      ['OPENHUB_URL', 'https://other.example', 'url'],
      ['OPENHUB_CLIENT_ID', 'other-client', 'credentials.clientId'],
      ['OPENHUB_CLIENT_SECRET', 'another secret', 'credentials.clientSecret'],
      ['OPENHUB_NIT', '1029384757', 'nit'],
      ['OPENHUB_SOURCE_ACCOUNT', '7010999002', 'sourceAccount'],
      ['OPENHUB_QR_PATH', 'v4/qr', 'qrPath'],
      ['OPENHUB_ACCOUNTS_PATH', 'v2/cuentas', 'accountsPath'],
      ['OPENHUB_TOKEN_PATH', 'token', 'tokenPath'],
      ['OPENHUB_SCAN_TIMEOUT_MS', '40001', 'scanTimeoutMs'],
      ['OPENHUB_CONFIRM_TIMEOUT_MS', '90001', 'confirmTimeoutMs'],
      ['OPENHUB_GLOSA_MAX', '99', 'descriptionMax'],
      ['OPENHUB_QR_OPERATIONS', 'PAGO', 'qrOperations.0'],
      ['OPENHUB_GATEWAY_REFUSAL_IS_NOT_SENT', 'true', 'isGatewayRefusalNotSent'],
      ['OPENHUB_PAYMENT_CAP_BOB', '500.00', 'paymentCap.minor=50000n', 'paymentCap.currency=BOB'],
      ['OPENHUB_UNPAID_AFTER_SECONDS', '86400', 'unpaidAfterSeconds'],
    ].map(([name = '', value = '', ...places]): [string, Row] => [
      name,
      [[openHub, { [name]: value }], places.map((place) => `openHub.0.${place}`).join(';')],
    ]),
  )

/** The rows of the gateway of alerts that API and worker share. */
export const alertRows: Readonly<Record<string, Row>> = {
  OPERATOR_ALERT_URL: ['https://other.example', 'signedGateway.1.url'],
  OPERATOR_ALERT_SECRET: ['e79878bb5a769a10360d08c0d003fa6e0b8a7a020da056d907c096c60afe54ab', 'signedGateway.1.secret'],
  OPERATOR_ALERT_REPEAT_SECONDS: ['61', 'alertRelay.loops.1.repeatSeconds; stores.operatorAlerts.claim.1'],
}

/** The worker's rows of digest, liquidity, and gateways. */
const noticeRows: Readonly<Record<string, Row>> = {
  OPERATOR_RUNBOOK_URL: ['https://other.example', 'signedGateway.1.installation.runbookUrl; digestToJson.3.runbookUrl'],
  WEBHOOK_HEADER_PREFIX: 'signedGateway{,#1}.1.headerPrefix; deliver.1.headerPrefix',
  NETWORK_LIQUIDITY_FLOOR_BOB: 'checkLiquidity.1.minor=100n',
  NETWORK_LIQUIDITY_SECONDS: ['61', 'liquidityLoop.1.everySeconds'],
  WEBHOOK_ALLOW_PRIVATE: ['true', 'httpWebhookSender#1.0.allowPrivate'],
  DIGEST_HOUR: ['7', 'sendDigest.1.hour'],
  DIGEST_TIMEZONE: ['UTC', 'sendDigest.1.timezone'],
  DIGEST_LANGUAGE: ['es', 'digestToJson.1'],
  TENANT_NOTICE_URL: ['https://other.example', 'signedGateway#1.1.url'],
  TENANT_NOTICE_SECRET: 'signedGateway#1.1.secret',
}

export const basicTokenRow: Row = [
  [openHub, { OPENHUB_CLIENT_SECRET: null, OPENHUB_BASIC_TOKEN: 'YTpi' }],
  'openHub.0.credentials.basicToken; openHub.0.credentials.clientSecret=-',
]

export const openHubChange = [{}, openHub] as const

/** The variables that the API and the worker are both given. */
export const sharedVariables = {
  OPERATOR_ALERT_URL: 'https://alerts.example',
  OPERATOR_ALERT_SECRET: '0b68a7d21e018f64ae3327d2f25cd4d7693b2d85328e4bb680bcfcbd4c26b90e',
  OPERATOR_RUNBOOK_URL: 'https://git.example/alerts.md',
  QR_NETWORK_IDENTITY: 'account-1',
  DATABASE_URL: 'postgres://quipu_app@127.0.0.1:1/quipu',
  QR_NETWORK_URL: 'https://qr.example',
  QR_NETWORK_TOKEN: 'the token of the network',
  TRON_NODE_URL: 'https://api.first.com',
  TRON_TOKEN_CONTRACT: 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs',
  TRON_GENESIS_BLOCK: 'shasta',
  ADDRESS_MAC_KEY: '348a629f5ceed032c3e8706ec47d9bfafb00fb4250b018dd965435ca50cb836e',
  WEBHOOK_SECRET_KEY: '26f8567f2569182294c3fa5b9f9cb2270b554eef628b4c149cf82a42888ff4ae',
  TRON_XPUB:
    'xpub6CMS8vSuFxKveud4u7VUNaYANi2sMwdausYUZmZiUGsTZGeduv9UoUymhbG4p91Cs5bVEusXP4M2GTSj7mAJyBwBPANKdonoPXVym5LQuuX',
  TRON_SOLIDITY_NODE_URL: 'https://solid.first.com',
  TRON_API_KEY: 'first-key',
  AUDIT_CHECKPOINT_KEY: 'b81f37a043a6f767e7c94d105f4bd31282f3ecc20680bb9d09bd93461cf4c863',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example',
  SCREENING_URL: 'https://lists.example',
  SCREENING_TOKEN: 'the token of the lists',
}

/** Without a floor the limit is refused. */
export const exposureRow: Row = [
  [{ NETWORK_LIQUIDITY_FLOOR_BOB: '1.00' }, { NETWORK_LIQUIDITY_FLOOR_BOB: '1.00', EXPOSURE_LIMIT_USDT: '5' }],
  `createQuote.0.rates=→ ratesWithinExposure; findFaults.0.exposure=→ recentExposure; {ratesWithinExposure,recentExposure}=+;
   readExposure.0.limit.currency=USDT; readExposure.0.limit.minor=5000000n; readExposure.0.limit=-`,
]

/** The rows of the source of rates. */
export const rateRows: Readonly<Record<string, Row>> = {
  RATE_SOURCE: [
    [{}, { RATE_SOURCE: 'fixed', RATE_BID: '9.95', RATE_SOURCES: null, RATE_MIN: null, RATE_MAX: null }],
    '{httpJsonRate,compositeRate}=-; watchedRates.0=→ fixedRate; fixedRate=+',
  ],
  RATE_BID: [
    [
      { RATE_SOURCE: 'fixed', RATE_BID: '9.95', RATE_SOURCES: null, RATE_MIN: null, RATE_MAX: null },
      { RATE_BID: '9.96' },
    ],
    'fixedRate.0.bid=99600n',
  ],
  RATE_SOURCES: 'httpJsonRate.0.url=https://c.example/; httpJsonRate#1.0.url=https://d.example/',
}

/** The rows of alerts and of notices, which the worker sends. */
export const workerAlertRows: Readonly<Record<string, Row>> = { ...alertRows, ...noticeRows }

/** The change to production. */
export const production = {
  ENVIRONMENT: 'production',
  DATABASE_STANDBY: 'managed',
  TRON_GENESIS_BLOCK: 'mainnet',
  FAUCET_PRIVATE_KEY: null,
}

/** The rows that API and worker share. */
export const sharedRows: Readonly<Record<string, Row>> = {
  DATABASE_STANDBY: ['required', 'postgresStores.0.isStandbyRequired=true'],
  LOG_LEVEL: ['debug', 'jsonLog.0'],
  WEBHOOK_SECRET_KEY: ['c057f39e2186f9b5c5c7bcdf4e14131b852d579db28220d0b155c7ce0fd12787', 'aesSecretBox.0.0.key'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['https://other.example', 'exportTraces.0.endpoint'],
  OTEL_EXPORTER_OTLP_HEADERS: ['name=value', 'exportTraces.0.headers.name=value'],
  OTEL_SERVICE_NAME: ['other', 'exportTraces.0.serviceName'],
  OTEL_TRACES_SAMPLER: ['always_on', 'exportTraces.0.sampler'],
  OTEL_TRACES_SAMPLER_ARG: ['0.5', 'exportTraces.0.ratio'],
  PRODUCTION_OVERRIDES: [[production, { PRODUCTION_OVERRIDES: 'plain-http' }], 'logOverride=+'],
}

/** The values that API and worker wrap, and pass on no more. */
export const sharedPorts: Wiring['ports'] = {
  openScreening: 'measuredScreening.1',
  measuredScreening: 'screenSubjects.0.screening',
  httpQrNetwork: 'measuredNetwork.2',
  measuredNetwork: 'networkGuard.0.network; guardedNetwork.0',
  networkGuard: 'guardedNetwork.1',
  tronNode: 'measuredNode.2',
  measuredNode: 'checkedNode.0',
  checkedNode: '{tronChainReader,tronBroadcaster,tronSweepChain}.0.node',
}
