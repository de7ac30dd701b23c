import type { Row } from './wiring.fixture.ts'

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
      [[openHub, { [name]: value }], ...places.map((place) => `openHub.0.${place}`)],
    ]),
  )

export const basicTokenRow: Row = [
  [openHub, { OPENHUB_CLIENT_SECRET: null, OPENHUB_BASIC_TOKEN: 'YTpi' }],
  'openHub.0.credentials.basicToken',
  'openHub.0.credentials.clientSecret=-',
]

export const openHubChange = [{}, openHub] as const

/** The variables that the API and the worker are both given. */
export const sharedVariables = {
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
}
