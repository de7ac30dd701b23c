import { ApiSettings } from '@quipu/api'
import { WorkerSettings } from '@quipu/worker'
import { z } from 'zod'
import { apiWiring } from './api-wiring.fixture.ts'
import { doctorPorts } from './ports.fixture.ts'
import { placesOf, type Row, type Wiring } from './wiring.fixture.ts'
import { workerWiring } from './worker-wiring.fixture.ts'

/** Where the doctor uses a setting of API or worker. It uses no other one. */
const places: Readonly<Record<string, string>> = {
  DATABASE_URL:
    'checkRole{,#1}.0.url; {migrationStates,readGate,everyTopUpAddress}.0; {checkCell,postgresStores}.0.url',
  CELL: 'checkCell.0.cell',
  DATABASE_STANDBY: 'postgresStores.0.isStandbyRequired=true',
  // `fetch` compares clocks.
  QR_NETWORK_URL: 'fetch#2.0; httpQrNetwork.0.url',
  QR_NETWORK_TOKEN: 'httpQrNetwork.0.token',
  QR_NETWORK_IDENTITY: 'httpQrNetwork.0.identity',
  QR_NETWORK: 'fetch#3=+; httpQrNetwork=-; openHub=+',
  OPENHUB_URL: 'fetch#3.0; openHub.0.url',
  TRON_NODE_URL: 'fetch.0; tronNode.0.url',
  TRON_SOLIDITY_NODE_URL: 'tronNode.0.solidUrl',
  TRON_API_KEY: 'tronNode.0.apiKey',
  TRON_VERIFIER_URL: 'fetch#1.0; tronNode#1.0.url',
  TRON_VERIFIER_SOLIDITY_URL: 'tronNode#1.0.solidUrl',
  TRON_VERIFIER_API_KEY: 'tronNode#1.0.apiKey',
  TRON_REQUESTS_PER_SECOND: 'tronNode{,#1}.0.requestsPerSecond',
  TRON_TIMEOUT_SECONDS: 'tronNode{,#1}.0.timeoutMs=6000',
  TRON_ANSWER_MIB: 'tronNode{,#1}.0.answerBytesMax=68157440',
  TRON_TOKEN_CONTRACT:
    'checkChain{,#1}.1.tokenContract; tronChainReader{,#1}.0.tokenContract; localTransferSigner.0.tokenContract',
  TRON_GENESIS_BLOCK:
    'checkChain{,#1}.1.genesisBlockId=0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc',
  // Mainnet has no faucet.
  ENVIRONMENT: `checkChain{,#1}.1.genesisBlockId=00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc;
     localTransferSigner=-`,
  FAUCET_PRIVATE_KEY: 'localTransferSigner.0.privateKey',
  TRON_XPUB: 'tronAddresses{,#1}.0',
  ADDRESS_MAC_KEY: 'addressIntegrityError.0.0.key; keyFinding#1.1.0.key',
  WEBHOOK_SECRET_KEY: 'keyFinding.1.0.key',
  SQS_QUEUE_URL: 'queueAttributes#1.1',
  SQS_DEAD_LETTER_URL: 'queueAttributes.1',
  SQS_ENDPOINT: 'queueAttributes{,#1}.0.endpoint',
  RATE_SOURCE: '{compositeRate,httpJsonRate}=-; {fixedRate,formatRate}=+',
  RATE_BID: 'fixedRate.0.bid=99600n; formatRate.0=99600n',
  RATE_SOURCES: 'httpJsonRate{,#2}.0.url=https://c.example/; httpJsonRate{#1,#3}.0.url=https://d.example/',
  EXPOSURE_LIMIT_USDT:
    '{compositeRate,postgresStores}#1=+; httpJsonRate{#4,#5}=+; postgresStores.0.isStandbyRequired=-; readExposure=+',
  RATE_MIN: 'compositeRate.0.band.min=90000n',
  RATE_MAX: 'compositeRate.0.band.max=110000n',
}

/** Each setting of both programs, changed as their own rows change it. */
const changed = Object.entries({ ...workerWiring.rows, ...apiWiring.rows })

export const doctorWiring: Wiring = {
  clocks: ['another clock'],
  program: ['hosts/admin/src/run-admin.ts', 'doctor'],
  schema: z.object(Object.assign({}, ApiSettings.shape, WorkerSettings.shape)),
  base: { ...workerWiring.base, ...apiWiring.base },
  rows: Object.fromEntries(
    changed.map(([name, [change, own]]): [string, Row] => {
      const ofHub = placesOf(own).filter((place) => place.startsWith('openHub.'))
      return [name, [change, places[name] ?? ofHub.join(';')]]
    }),
  ),
  usesAll: false,
  ports: doctorPorts,
}
