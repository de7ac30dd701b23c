import { WorkerSettings } from '@quipu/worker'
import {
  workerAlertRows,
  basicTokenRow,
  openHubChange,
  openHubRows,
  production,
  sharedPorts,
  sharedRows,
  sharedVariables,
} from './shared-variables.fixture.ts'
import { workerScreeningRows } from './screening-wiring.fixture.ts'
import type { Wiring } from './wiring.fixture.ts'
export const workerWiring: Wiring = {
  program: ['hosts/worker/src/run-worker.ts'],
  schema: WorkerSettings,
  base: {
    ...sharedVariables,
    TRON_VERIFIER_URL: 'https://api.second.org',
    TRON_VERIFIER_SOLIDITY_URL: 'https://solid.second.org',
    TRON_VERIFIER_API_KEY: 'second-key',
    NETWORK_LIQUIDITY_FLOOR_BOB: '50000.00',
    TENANT_NOTICE_URL: 'https://mail.example',
    TENANT_NOTICE_SECRET: '9368a7d21e018f64ae3327d2f25cd4d7693b2d85328e4bb680bcfcbd4c26b90e',
    SQS_QUEUE_URL: 'https://sqs.example/1/wake',
    SQS_DEAD_LETTER_URL: 'https://sqs.example/1/dead',
    SQS_ENDPOINT: 'https://sqs.example',
  },
  rows: {
    ...workerScreeningRows,
    ...sharedRows,
    ...openHubRows(),
    ...workerAlertRows,
    QR_NETWORK: [openHubChange, 'httpQrNetwork=-; measuredNetwork.1; measuredNetwork.2=→ openHub; openHub=+'],
    OPENHUB_BASIC_TOKEN: basicTokenRow,
    CELL: ['g', 'cellIds=+; refuseUnfitDatabase.0.cell; signedGateway.1.installation.cell; digestToJson.3.cell'],
    QR_NETWORK_IDENTITY: ['account-2', 'httpQrNetwork.0.identity; stores.networks.meet.0; stores.networks.meet#1.0'],
    DATABASE_URL: '{refuseUnfitDatabase,postgresStores}.0.url; {ensurePartitions,checkpointBalances,forgetOld}.0',
    QR_NETWORK_URL: ['https://other.example', 'httpQrNetwork.0.url'],
    QR_NETWORK_TOKEN: ['another token', 'httpQrNetwork.0.token'],
    TRON_NODE_URL: ['https://other.example', 'tronNode{,#1}.0.url'],
    TRON_TOKEN_CONTRACT: `tronChainReader{,#1,#2}.0.tokenContract; {tronBroadcaster,tronBalanceReader,tronSweepChain}.0.tokenContract;
       checkedNode{,#1,#2}.1.tokenContract`,
    TRON_GENESIS_BLOCK:
      'checkedNode{,#1,#2}.1.genesisBlockId=0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc',
    ADDRESS_MAC_KEY: `{scanHead,scanSolid,settleDeposit,renewAddressMacs}.0.addressMacKeys.0.key;
       {reconcileNetwork,reconcileChain}.0.runMacKeys.0.key; scheduleReconciliation{,#1}.0.runMacKeys.0.key`,
    TRON_XPUB: 'tronAddresses{,#1,#2,#3,#4}.0',
    TRON_SOLIDITY_NODE_URL: ['https://other.example', 'tronNode{,#1}.0.solidUrl'],
    TRON_API_KEY: ['other-key', 'tronNode{,#1}.0.apiKey'],
    TRON_REQUESTS_PER_SECOND: ['11', 'tronNode{,#2}.0.requestsPerSecond'],
    TRON_TIMEOUT_SECONDS: ['6', 'tronNode{,#1,#2}.0.timeoutMs=6000'],
    TRON_ANSWER_MIB: ['65', 'tronNode{,#1,#2}.0.answerBytesMax=68157440'],
    DEPOSIT_MINIMUM: ['2', 'settleDeposit.1.rules.minimum.minor=2000000n'],
    DEPOSIT_AUTO_LIMIT: ['99', 'settleDeposit.1.rules.autoLimit.minor=99000000n'],
    AUDIT_CHECKPOINT_KEY: 'auditCheckpoints.1',
    RECONCILIATION_SETTLE_SECONDS: 'scheduleReconciliation{,#1}.1.settleSeconds; doDaily#2.1.dueSeconds=90001',
    WEBHOOK_ATTEMPTS: ['9', 'deliver.1.retryPolicy.attempts'],
    WEBHOOK_MAX_DELAY_SECONDS: ['3599', 'deliver.1.retryPolicy.maxDelaySeconds'],
    PROCESS_MISSING_SECONDS: ['31', 'processesMetrics.2'],
    PAYOUT_LEASE_SECONDS: ['18', 'httpQrNetwork.0.statusTimeoutMs=12000; {resumePayout,claimLoop}.1.leaseSeconds'],
    STOP_WITHIN_MS: ['29000', 'withTimeout.1'],
    ENVIRONMENT: [
      [{}, production],
      `signedGateway.1.installation.environment; digestToJson.3.environment; refuseUnfitDatabase.0.isProduction=true;
       checkedNode{,#1,#2}.1.genesisBlockId=00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc`,
    ],
    DEPOSIT_DUST: ['0.5', 'settleDeposit.1.rules.dust.minor=500000n'],
    TRON_VERIFIER_URL: ['https://other.example', 'tronNode#2.0.url'],
    TRON_VERIFIER_SOLIDITY_URL: ['https://other.example', 'tronNode#2.0.solidUrl'],
    TRON_VERIFIER_API_KEY: ['other-key', 'tronNode#2.0.apiKey'],
    TRON_FIRST_BLOCK: ['7', '{scanHead,scanSolid}.1.firstBlock'],
    TRON_POLL_MS: ['3001', 'scanLoop{,#1}.1.pollMs'],
    SCAN_LEASE_SECONDS: ['31', '{scanHead,scanSolid}.1.leaseSeconds; stores.scans.claim.2; stores.scans.claim#1.2'],
    CHAIN_WORK_LEASE_SECONDS: `claimLoop{#1,#2,#3}.1.leaseSeconds; stores.deposits.claimDue.1; stores.faucet.claimDue.1;
       stores.sweeps.claimDue.1`,
    TRON_SERVICE_ADDRESSES: 'settleDeposit.1.serviceAccounts.0=a614f803b6fd780986a42c78ec9c7f77e6ded13c',
    TRON_BLOCKED_ADDRESSES: 'tronChainReader{,#1,#2}.0.blocked.0=a614f803b6fd780986a42c78ec9c7f77e6ded13c',
    DEPOSIT_VERIFY_FROM: ['9', 'settleDeposit.1.rules.verifyFrom.minor=9000000n'],
    DEPOSIT_UNVERIFIED_TENANT_LIMIT: ['8', 'settleDeposit.1.rules.unverifiedLimits.perTenant.minor=8000000n'],
    DEPOSIT_UNVERIFIED_TOTAL_LIMIT: ['7', 'settleDeposit.1.rules.unverifiedLimits.inAll.minor=7000000n'],
    WEBHOOK_DELIVERY: `httpWebhookSender#1=-;
       {measuredSender,measuredQueue,messageCounter,sqsWakeQueue,deadLetters,aesSecretBox,renewSecrets,
       cachingSecretBox,deliver,queueHealth,enqueueLoop,wakeLoop,deadLetterWatch}=-; stores.webhooks.listByOtherKeys=-;
       loop {secret_renewal,deliveries_fast,deliveries_slow,delivery_log,delivery_queue,queue_messages,dead_letters}=-;
       claimLoop{#4,#5}=-; stores.deliveries.enqueue=-`,
    WEBHOOK_CONCURRENCY: `httpWebhookSender#1.0.connectionsPerOrigin; claimLoop#4.1.concurrency=401; claimLoop#4.1.minBatch=201;
       wakeLoop.1.concurrency`,
    WEBHOOK_PER_ENDPOINT: `enqueueLoop.1.query.perEndpoint; stores.deliveries.enqueue.0.perEndpoint;
       stores.deliveries.enqueue#1.0.perEndpoint`,
    WEBHOOK_PER_TENANT:
      'enqueueLoop.1.query.perTenant; stores.deliveries.enqueue.0.perTenant; stores.deliveries.enqueue#1.0.perTenant',
    WEBHOOK_CATCH_UP_PER_SECOND: `enqueueLoop.1.query.catchUpPerSecond; stores.deliveries.enqueue.0.catchUpPerSecond;
       stores.deliveries.enqueue#1.0.catchUpPerSecond`,
    WEBHOOK_IDLE_MS: ['21', 'claimLoop{#4,#5}.1.idleMs; enqueueLoop.1.idleMs'],
    WEBHOOK_ALERT_SECONDS: ['901', 'deliver.1.alertAfterSeconds'],
    WEBHOOK_LEASE_SECONDS: `sqsWakeQueue.0.visibilitySeconds=62; queueHealth.1=31000; claimLoop{#4,#5}.1.leaseSeconds;
       wakeLoop.1.leaseSeconds`,
    RECONCILIATION_LEASE_SECONDS: `reconcileNetwork.1.leaseSeconds; loop {reconcile_network,reconcile_chain}.2=602000;
       reconcileChain.2.leaseSeconds; stores.reconciliations.claimDue.1; stores.reconciliations.claimDue#1.1`,
    TRON_CHECK_REQUESTS_PER_SECOND: ['3', 'tronNode#1.0.requestsPerSecond'],
    WORKER_HOST: ['127.0.0.2', 'listen.1.host'],
    WORKER_PORT: ['4103', 'listen.1.port'],
    WORKER_CONCURRENCY: ['17', 'claimLoop{,#1,#2}.1.concurrency; stores.deposits.claimDue.0; stores.faucet.claimDue.0'],
    LEDGER_CHECK_SECONDS: ['31', '{ledgerWatch,creditWatch}.1.everySeconds; stores.ledgerCheck.wallets.0.everySeconds'],
    WORKER_IDLE_MS: ['251', 'claimLoop{,#1,#2,#3}.1.idleMs'],
    NETWORK_CATCH_UP_PER_SECOND: ['6', 'resumePayout.1.catchUpPerSecond'],
    SQS_QUEUE_URL: ['https://other.example/1/wake', '{sqsWakeQueue,deadLetters}.0.queueUrl'],
    SQS_DEAD_LETTER_URL: ['https://other.example/1/dead', 'deadLetters.0.deadLetterUrl; deadLetterWatch.1'],
    SQS_ENDPOINT: ['https://other.example', '{sqsWakeQueue,deadLetters}.0.endpoint'],
    SQS_FAIR_QUEUES: ['true', 'sqsWakeQueue.0.fairQueues'],
  },
  loops:
    `database_watch heartbeats partitions balance_checkpoints retention ledger_check difference_alerts audit_checkpoints
     balance_thresholds notices operator_digest payouts reconcile_network report_check newest_payments network_liquidity
     scan_head scan_solid screening_outages screening_tenants deposits token_state credit_check address_mac_renewal
     reconcile_chain faucet_sends sweeps deliveries_fast deliveries_slow secret_renewal delivery_log delivery_queue
     queue_messages dead_letters`.split(/\s+/),
  ports: {
    ...sharedPorts,
    guardedNetwork: 'resumePayout.0.network',
    'guardedNetwork#1': '{reconcileNetwork,checkReports,compareNewestPayments,checkLiquidity}.0.network',
    'tronNode#1': 'measuredNode#1.2',
    'checkedNode#1': 'tronBalanceReader.0.node; tronChainReader#2.0.node',
    'checkedNode#2': 'tronChainReader#1.0.node',
    tronChainReader: '{scanHead,scanSolid,settleDeposit}.0.reader',
    'tronChainReader#1': 'settleDeposit.0.verifier',
    'tronChainReader#2': 'reconcileChain.0.reader',
    screenSubjects: '{settleDeposit,screenAllTenants}.0.screen',
    cachingSecretBox: 'deliver.0.secretBox',
    measuredSender: 'deliver.0.sender',
    measuredQueue: '{enqueueLoop,wakeLoop}.0.queue',
    'signedGateway#1': 'gatewayNoticeSender.0',
  },
}
